import { startPersonsCall } from '../../tools/calls/recorded-call.ts';
import type { StartedCall } from '../../tools/chain/run-call.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { preview } from '../../tools/util/graphemes.ts';

export interface WantedCall {
  readonly tool: 'edit_block' | 'insert_blocks' | 'rewrite_doc' | 'create_doc' | 'flashcards';
  readonly args: ToolArguments;
}

export interface TaskCall extends WantedCall, StartedCall {
  readonly callId: string;
  readonly startTime: number;
}

type UserCallOptions = Omit<Parameters<typeof startPersonsCall>[1], 'asker' | 'executor'> & { readonly callId: string };

export function startUserCall(executor: ToolExecutor, wanted: WantedCall, { callId, ...options }: UserCallOptions): TaskCall {
  const startTime = options.clock.now();
  const started = startPersonsCall({ callId, ...wanted }, { asker: 'card', executor, ...options });
  return Object.assign(started, wanted, { callId, startTime });
}

/** Why a call did nothing, or may have done something; undefined if it is done or was rejected. */
export function failureOf(result: ToolExecuteResult): EventError | undefined {
  if (result.status === 'success' || result.status === 'execution_rejected') return undefined;
  const { code, message, next } = result.error ?? { code: 'internal', message: result.status, next: '' };
  return { code, message: preview(message, 600), next };
}

/** There is nothing to change: the text is already as requested. */
export const isUnchanged = (error: EventError, call: WantedCall): boolean =>
  error.code === 'no_change' || (error.code === 'no_match' && 'markdown' in call.args);
