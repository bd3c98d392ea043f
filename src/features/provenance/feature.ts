import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';

/** What models wrote into notes: who wrote it, whether somebody read it, and whether what it says still holds. */
export const start: StartFeature = () => ({
  inPanel(app) {
    const load = untilClosed(async () => {
      const { WrittenRequests } = await import('./panel/written-requests.ts');
      return new WrittenRequests({ ...app, frame: await app.frame() });
    }, app.ending);
    return {
      name: 'provenance',
      requests: {
        'show-written': ({ ids }) => app.show({ written: ids }),
        'show-writer': async ({ mark }) => (await load()).showWriter(mark),
        'check-written': async ({ ids }) => (await load()).checkAgain(ids[0] ?? ''),
      },
      commands: { whoWrote: async () => (await load()).showWriter(undefined) },
    };
  },
});
