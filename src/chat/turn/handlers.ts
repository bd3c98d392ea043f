import { fieldLabels } from '../../model/masking/privacy-fields.ts';
import type { ChatOption, ToolDefinition } from '../../tools/contract/messages.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ChatSettings } from './chat-settings.ts';
import { buildSystemPrompt } from './system-prompt.ts';

export interface ChatHandlerOptions {
  readonly executor: ToolExecutor;
  /** Of this chat (settingsOfChat). */
  readonly settings: () => ChatSettings;
  /** Local calendar day, YYYY-MM-DD. */
  readonly today: () => string;
  readonly timeZone: string;
}

/** What goes with every request of a turn. */
export interface ChatHandler {
  buildChatOption(): ChatOption;
  buildSystemPrompt(): string;
  tools(): readonly ToolDefinition[];
}

export function createChatHandler(options: ChatHandlerOptions): ChatHandler {
  const { executor, settings, today, timeZone } = options;
  return {
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
        privacyFields: fieldLabels(privacy),
      });
    },
    tools: () => executor.getEnabledToolDefinitions(),
  };
}
