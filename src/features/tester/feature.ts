import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { lazyTester } from './panel/lazy-tester.ts';
import { TESTER_TAB } from './tester-tab.ts';

/** The tool tester: runs tools without a model, with variables and consent of its own. */
export const start: StartFeature = () => ({
  inPanel({ host, t, signal, executors, chats, frame }) {
    const tester = lazyTester({
      ...{ host, t, signal },
      load: untilClosed(() => import('./view/mount-tester.ts'), signal),
      async parts() {
        const { activity, clock, newId } = chats;
        const deps = { executor: executors.build, chat: executors.current, activity, clock, newId };
        return { ...(await frame()), t, deps };
      },
    });
    const tabs = { [TESTER_TAB]: tester.mount };
    return { name: 'tester', tabs, commands: { openTester: () => tester.open() }, tryTool: tester.tryTool };
  },
});
