import type { EventEmitter } from '../tools/event-stream.ts';
import type { ToolExecutor } from '../tools/executor.ts';
import type { ChatOption, Complete, Message } from '../tools/messages.ts';
import { type ModelOutcome, requestModel } from '../tools/model-request.ts';
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

export interface RequestSurroundings {
  readonly complete: Complete;
  readonly signal: AbortSignal;
  readonly emitter: EventEmitter;
}

/** seed 2's chat handler: what goes with every request of a turn, and the turn's first request. */
export interface ChatHandler {
  buildChatOption(): ChatOption;
  buildSystemPrompt(): string;
  /** The first answer to `history`; never rejects. */
  execute(history: readonly Message[], surroundings: RequestSurroundings): Promise<ModelOutcome>;
}

export function createChatHandler(options: ChatHandlerOptions): ChatHandler {
  const { executor, settings, today, timeZone, session } = options;
  const handler: ChatHandler = {
    buildChatOption() {
      const merged = mergeChatOption(settings().chatOption, session().options);
      return executor.hasEnabledTools() ? { tool_choice: 'auto', ...merged } : merged;
    },
    buildSystemPrompt() {
      const { systemPrompt, privacyFields } = settings();
      return buildSystemPrompt({
        today: today(),
        timeZone,
        userPrompt: session().systemPrompt ?? systemPrompt,
        toolRules: executor.hasEnabledTools() ? executor.toolRules() : null,
        ...(privacyFields ? { privacyFields } : {}),
      });
    },
    execute(history, { complete, signal, emitter }) {
      const tools = executor.hasEnabledTools() ? executor.getEnabledToolDefinitions() : [];
      const request = {
        messages: [{ role: 'system' as const, content: handler.buildSystemPrompt() }, ...history],
        chatOption: handler.buildChatOption(),
        ...(tools.length > 0 ? { tools } : {}),
      };
      return requestModel(complete, request, { signal, emitter });
    },
  };
  return handler;
}
