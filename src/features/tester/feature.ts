import { escapeHtml } from '../../app/escape-html.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { toToolError } from '../../tools/contract/errors.ts';
import { TESTER_TAB } from './tester-tab.ts';

/** The tool tester: runs tools without a model, with variables and consent of its own. */
export const start: StartFeature = () => ({
  inPanel({ host, t, signal, executors, chats, frame }) {
    const load = untilClosed(async () => {
      const { panelTester } = await import('./panel/panel-tester.ts');
      const { activity, clock, newId } = chats;
      const deps = { executor: executors.build, chat: executors.current, activity, clock, newId };
      return panelTester({ host, t, signal, parts: async () => ({ ...(await frame()), t, deps }) });
    }, signal);
    const open = async (tool?: string): Promise<void> => (await load()).open(tool);
    const say = (error: unknown): void => {
      const { message, next } = toToolError(error);
      host.siyuan.showMessage(escapeHtml(`${message}: ${next}`), 6000, 'error');
    };
    return {
      name: 'tester',
      tabs: { [TESTER_TAB]: async (element) => (await load()).mount(element) },
      commands: { openTester: () => open() },
      tryTool: (tool) => void open(tool).catch(say),
    };
  },
});
