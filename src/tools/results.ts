import { type ToolError, toToolError } from './errors.ts';
import { escapeMarkers, frameUntrusted } from './markers.ts';
import type { ToolEffect, ToolExecuteResult } from './types.ts';

/** The message that tells a model of a rejection (seed 0): JSON, so that it is never taken for a result. */
function rejectionText(message: string): string {
  return JSON.stringify({ status: 'rejected', message });
}

export function executionRejected(reason: string | undefined): ToolExecuteResult {
  const why = reason === undefined || reason.trim() === '' ? '' : ` Reason: ${reason.trim()}`;
  const message = `The user rejected this call; nothing was done.${why} Do not repeat it; go on without it or ask the user.`;
  return {
    status: 'execution_rejected',
    ...(why === '' ? {} : { rejectReason: String(reason).trim() }),
    finalText: rejectionText(message),
  };
}

/** Nothing of the result survives but what was written, so that Undo still finds it. */
export function resultRejected(result: ToolExecuteResult, reason: string | undefined): ToolExecuteResult {
  const why = reason === undefined || reason.trim() === '' ? '' : ` Reason: ${reason.trim()}`;
  const message = `The call ran, but the user keeps its result from you.${why} Do not repeat it; go on without it or ask the user.`;
  return {
    status: 'result_rejected',
    ...(why === '' ? {} : { rejectReason: String(reason).trim() }),
    ...(result.written === undefined ? {} : { written: result.written }),
    finalText: rejectionText(message),
  };
}

/** An expected failure as a result; the status says whether something may have been written. `tool` is named on note text. */
export function failureResult(error: ToolError, tool = 'notes'): ToolExecuteResult {
  const text = escapeMarkers(error.toString());
  const quoted = error.quoted ? `\n${frameUntrusted(tool, escapeMarkers(error.quoted))}` : '';
  const status = error.code === 'aborted' ? 'aborted' : error.code === 'outcome_unknown' ? 'unknown' : 'error';
  return { status, error: text, finalText: `${text}${quoted}` };
}

export function notFoundResult(name: string, near: readonly string[]): ToolExecuteResult {
  const next = near.length > 0 ? `call one of: ${near.join(', ')}` : 'use only the tools that are listed';
  const text = escapeMarkers(`unknown_tool: there is no tool "${name.slice(0, 80)}" → ${next}`);
  return { status: 'not_found', error: text, finalText: text };
}

export function abortedResult(): ToolExecuteResult {
  const text = 'aborted: the call was stopped; nothing was done → ask the user whether to go on';
  return { status: 'aborted', error: text, finalText: text };
}

/** A write that was stopped and did not say how far it came. */
export function unknownResult(why: string): ToolExecuteResult {
  const next = 'read the document before anything else and tell the user; do not repeat the call';
  const text = escapeMarkers(`outcome_unknown: ${why}; it may or may not have been written → ${next}`);
  return { status: 'unknown', error: text, finalText: text };
}

export function timeoutResult(timeoutMs: number): ToolExecuteResult {
  const text = `timeout: the call took longer than ${Math.round(timeoutMs / 1000)} s and was stopped → ask for less, or try another way`;
  return { status: 'error', error: text, finalText: text };
}

/**
 * A throw of a tool. Of a write only ToolError is believed when it says that nothing happened: any other error came
 * from somewhere in the middle.
 */
export function thrownResult(error: unknown, effect: ToolEffect, tool?: string): ToolExecuteResult {
  const known = toToolError(error);
  if (effect === 'write' && known !== error) return unknownResult(`the write failed in the middle (${known.message})`);
  return failureResult(known, tool);
}
