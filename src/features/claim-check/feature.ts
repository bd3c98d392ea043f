import type { StartFeature } from '../../app/panel-feature.ts';

/** Sentences of an answer that say something else than the block that they cite. */
export const start: StartFeature = () => ({ inPanel: () => ({ name: 'claim-check' }) });
