import { type ErrorCode, type EventError, toEventError, toToolError } from '../../tools/contract/errors.ts';
import type { ModelDelta } from '../../tools/contract/messages.ts';
import type { LeftOut } from '../session/types.ts';
import type { LoadedSession } from '../store/store-port.ts';

export const NO_MODEL: EventError = {
  code: 'model_missing',
  message: 'no model is set up',
  next: 'open the settings and choose a provider, then run this message again',
};
export const BUSY: EventError = {
  code: 'busy',
  message: 'an answer is still being written',
  next: 'stop it, or wait until it is finished',
};
export const READ_ONLY: EventError = {
  code: 'chat_newer',
  message: 'this chat was written by a newer version and can only be read here',
  next: 'update the plugin on this device, or start a new chat',
};
export const ELSEWHERE: EventError = {
  code: 'chat_elsewhere',
  message: 'another window is writing an answer in this chat',
  next: 'wait until it is finished, stop it there, or start a new chat here',
};
export const REPAIRED: EventError = {
  code: 'chat_repaired',
  message: 'the file of this chat was damaged and was written again',
  next: 'what another device added may be missing; a copy was kept',
};
export const CHAT_GONE: EventError = { code: 'chat_missing', message: 'this chat is no longer there', next: 'open another chat' };

/** Shown once for each model: the person did not choose it, and it costs tokens. */
function toolsInText(model: string, protocol: string): EventError {
  return {
    code: 'tools_in_text',
    message: `native tool calls do not work here, so ${model} calls tools in text (${protocol})`,
    next: 'to choose another way, see “How models call tools” in the settings',
  };
}

/** Shown once for each model: tools are missing that the person may expect. */
function simplerTools(model: string, tools: number): EventError {
  return {
    code: 'tools_simpler',
    message: `the server refused how the tools are described, so ${model} is offered the ${tools} most important ones in short`,
    next: 'to choose another way, see “How models call tools” in the settings',
  };
}

/** Shown once for each model: it no longer knows what it thought between its calls. */
function leftOut(model: string): EventError {
  return {
    code: 'thoughts_left_out',
    message: `the server refused the request without a clear reason, so ${model} is asked without its earlier thoughts`,
    next: 'nothing has to be done; if answers become worse, choose another model or provider',
  };
}

export function tooLong({ messages, results = 0 }: LeftOut): EventError {
  const of = [...(messages > 0 ? [`${messages} earlier messages`] : []), ...(results > 0 ? [`most of ${results} tool results`] : [])];
  return {
    code: 'model_context_overflow',
    message: `the model answered without ${of.join(' and ') || 'the summary of earlier messages'}: a request may not be that long`,
    next: 'ask about less at a time, or choose a model with a larger window',
  };
}

export type CallsChange = Extract<ModelDelta, { readonly type: 'text-calls' | 'simpler-tools' | 'left-out' }>;

export function callsChanged(model: string, how: CallsChange): EventError {
  if (how.type === 'left-out') return leftOut(model);
  return how.type === 'text-calls' ? toolsInText(model, how.protocol) : simplerTools(model, how.tools);
}

export function missingVariables(names: readonly string[]): EventError {
  const message = `the document does not contain ${names.length} tool results in full: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;
  return { code: 'variables_missing', message, next: 'ask again where they are needed' };
}

/** The notice for an opened chat: first about messages that may be missing. */
export function openingNotice({ repaired, missingVariables: names }: LoadedSession): EventError | undefined {
  if (repaired) return REPAIRED;
  return names.length > 0 ? missingVariables(names) : undefined;
}

export function thrownError(error: unknown, code?: ErrorCode): EventError {
  return toEventError(toToolError(error, code));
}
