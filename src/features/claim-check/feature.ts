import type { StartFeature } from '../../app/panel-feature.ts';
import { lazyMethods } from '../../tools/util/lazy.ts';
import { CLAIMS, type ClaimPort } from './claim-port.ts';

/** Sentences of an answer that say something else than the block that they cite. */
export const start: StartFeature = () => ({
  inPanel: (app) => {
    const port = lazyMethods<ClaimPort>(async () => (await import('./panel/ask-model.ts')).claimPort(app), { ask: true, of: true });
    return { name: CLAIMS.name, port };
  },
});
