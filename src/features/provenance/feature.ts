import { whenIdle } from '../../app/host-ui.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { lazyMethods, lazyPart } from '../../tools/util/lazy.ts';
import { PROVENANCE, type WrittenPort } from './provenance-port.ts';

/** What models wrote into notes: who wrote it, whether somebody read it, and whether what it says still holds. */
export const start: StartFeature = () => {
  let mark = async (): Promise<unknown> => undefined;
  return {
    // What is out of date is marked in the editor from then on.
    wake: () => void mark().catch(() => undefined),
    inPanel(app) {
      const load = untilClosed(async () => (await import('../../app/late-parts.ts')).openProvenance(app), app.ending);
      const port = lazyMethods<WrittenPort>(async () => (await load()).port, {
        ...{ counts: true, outdated: true, list: true, places: true, origins: true },
        ...{ of: true, markRead: true, stillHolds: true, checkAgain: true, watch: true },
      });
      mark = lazyPart(() => whenIdle().then(() => port.outdated()));
      return {
        name: PROVENANCE.name,
        port,
        pages: [{ name: 'written', title: 'written.title', menu: { icon: 'iconMarginaliaWritten', part: 'chats' } }],
        requests: {
          'show-written': ({ ids }) => app.show({ page: 'written', ids }),
          'show-writer': async ({ mark: at }) => (await load()).requests.showWriter(at),
        },
        commands: { whoWrote: async () => (await load()).requests.showWriter(undefined) },
      };
    },
  };
};
