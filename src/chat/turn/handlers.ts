import { fieldLabels } from '../../model/masking/privacy-fields.ts';
import type { ChatOption, ToolDefinition } from '../../tools/contract/messages.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { type ChatSettings, mergeChatOption } from './chat-settings.ts';
import { buildSystemPrompt } from './system-prompt.ts';

export interface ChatHandlerOptions {
  readonly executor: ToolExecutor;
  readonly settings: () => ChatSettings;
  /** Local calendar day, YYYY-MM-DD. */
  readonly today: () => string;
  readonly timeZone: string;
  /** The chat's own prompt and options; they win over the settings. */
  readonly session: () => { readonly systemPrompt?: string; readonly options?: ChatOption };
}

/** What goes with every request of a turn. */
export interface ChatHandler {
  buildChatOption(): ChatOption;
  buildSystemPrompt(): string;
  tools(): readonly ToolDefinition[];
}

export function createChatHandler(options: ChatHandlerOptions): ChatHandler {
  const { executor, settings, today, timeZone, session } = options;
  return {
    buildChatOption() {
      const merged = mergeChatOption(settings().chatOption, session().options);
      return executor.hasEnabledTools() ? { tool_choice: 'auto', ...merged } : merged;
    },
    buildSystemPrompt() {
      const { systemPrompt, privacy } = settings();
      return buildSystemPrompt({
        today: today(),
        timeZone,
        userPrompt: session().systemPrompt ?? systemPrompt,
        toolRules: executor.hasEnabledTools() ? executor.toolRules() : null,
        privacyFields: fieldLabels(privacy),
      });
    },
    tools: () => executor.getEnabledToolDefinitions(),
  };
}
