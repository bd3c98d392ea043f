import { fieldLabels } from '../../model/masking/privacy-fields.ts';
import { REQUEST_SHARE, type RequestWindow } from '../../tools/chain/chain-requests.ts';
import type { ChatOption, ToolDefinition } from '../../tools/contract/messages.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { ChatSettings } from './chat-settings.ts';
import { buildSystemPrompt } from './system-prompt.ts';

export interface ChatHandlerOptions {
  readonly executor: ToolExecutor;
  readonly settings: () => ChatSettings;
  readonly today: () => string;
  readonly timeZone: string;
}

export interface ChatHandler {
  /** Lists what the tools' rules name, then chooses the tools that fit into the model's window, before anything else is requested from it. Rejects only on abort. */
  fitTools(window: RequestWindow | undefined, signal: AbortSignal): Promise<void>;
  buildChatOption(): ChatOption;
  buildSystemPrompt(): string;
  tools(): readonly ToolDefinition[];
}

const loadFit = lazyPart(() => import('../../tools/executor/fit-tools.ts'));
const ANY_LENGTH = Number.POSITIVE_INFINITY;
/** The size of a VCP description relative to JSON. */
const VCP_WEIGHT = 1.4;

export function createChatHandler(options: ChatHandlerOptions): ChatHandler {
  const { executor, settings, today, timeZone } = options;
  return {
    async fitTools(window, signal) {
      const { contextTokens, toolProtocol } = settings();
      await orAborted(executor.prepareGroups(signal), signal);
      const own = await orAborted(window?.tokens(0) ?? Promise.resolve(undefined), signal);
      const size = Math.min(own === undefined ? ANY_LENGTH : Math.round(own / REQUEST_SHARE), contextTokens ?? ANY_LENGTH);
      if (!executor.hasEnabledTools()) return executor.fitTools(null);
      const { fitTools } = await orAborted(loadFit(), signal);
      const isChosen = (name: string, group: string): boolean => {
        const { tools = {}, groups = {} } = settings();
        return tools[name] === true || groups[group] === true;
      };
      executor.fitTools((offered) => fitTools(offered, { window: size, isChosen, weight: toolProtocol === 'vcp' ? VCP_WEIGHT : 1 }));
    },
    buildChatOption() {
      const { chatOption } = settings();
      return executor.hasEnabledTools() ? { tool_choice: 'auto', ...chatOption } : chatOption;
    },
    buildSystemPrompt() {
      const { systemPrompt, privacy } = settings();
      return buildSystemPrompt({
        today: today(),
        timeZone,
        userPrompt: systemPrompt,
        toolRules: executor.hasEnabledTools() ? executor.toolRules() : null,
        isLean: executor.toolFit?.isLean,
        privacyFields: fieldLabels(privacy),
      });
    },
    tools: () => executor.getEnabledToolDefinitions(),
  };
}
