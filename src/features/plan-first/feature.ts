import type { StartFeature } from '../../app/panel-feature.ts';

/** A chat whose model reads, proposes a list of changes, and writes when that is accepted. */
export const start: StartFeature = () => ({ inPanel: () => ({ name: 'plan-first' }) });
