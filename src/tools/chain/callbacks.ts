import type { ChainListener } from '../contract/events.ts';
import { resultOf } from './chain-history.ts';
import type { ToolChainCallbacks } from './tool-chain-types.ts';

/**
 * Callbacks as a listener of the event stream, for callers who do not use events. `onBeforeSendToLLM` changes what is sent and
 * is handled by the chain.
 */
export function callbackListener(callbacks: ToolChainCallbacks): ChainListener {
  let answer = '';
  return (event, detail) => {
    switch (event.type) {
      case 'tool-start':
        return callbacks.onToolCallStart?.(event.tool, event.arguments, event.callId);
      case 'tool-end':
        return callbacks.onToolCallComplete?.(resultOf(event, detail), event.callId);
      case 'round-end':
        answer = '';
        return undefined;
      case 'text-end':
        if (event.wasReasoning !== true) return undefined;
        answer = '';
        return callbacks.onLLMResponseUpdate?.(answer);
      case 'text-delta':
        answer += event.text;
        return callbacks.onLLMResponseUpdate?.(answer);
      case 'error':
        return callbacks.onError?.({ code: event.code, message: event.message, next: event.next }, event.phase);
      default:
        return undefined;
    }
  };
}
