import { vectorsHere } from '../../app/device-storage.ts';
import { whenIdle } from '../../app/host-ui.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { lazyMethods, lazyPart } from '../../tools/util/lazy.ts';
import { MEANING, type MeaningPort } from './meaning-port.ts';

/** Search by meaning without a service: vectors of the notes, made on this device. */
export const start: StartFeature = () => {
  let begin = async (): Promise<unknown> => undefined;
  return {
    wake: () => void begin().catch(() => undefined),
    inPanel(app) {
      const load = untilClosed(async () => (await import('../../app/late-parts.ts')).openMeaning(app), app.ending);
      begin = lazyPart(() => whenIdle().then(() => (vectorsHere.get() ? load() : undefined)));
      return {
        name: MEANING.name,
        port: lazyMethods<MeaningPort>(load, { watch: true, fetch: true, choose: true, turn: true, pause: true, remove: true }),
      };
    },
  };
};
