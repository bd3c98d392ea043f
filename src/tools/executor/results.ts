import { type EventError, errorText, isToolError, ToolError, toEventError, toToolError } from '../contract/errors.ts';
import { mergeSources, type NoteSource } from '../contract/provenance.ts';
import type { ToolArguments, ToolEffect, ToolExecuteResult } from '../contract/types.ts';
import { preview } from '../util/graphemes.ts';
import { frameName, quotedText } from '../util/markers.ts';

const MAX_REASON = 2000;

/** The message that reports a rejection to a model: JSON, so that it is never mistaken for a result. */
function rejectionText(message: string): string {
  return JSON.stringify({ status: 'rejected', message });
}

function readReason(reason: string | undefined): { readonly said: string; readonly field: { readonly rejectReason?: string } } {
  const text = preview(typeof reason === 'string' ? reason.trim() : '', MAX_REASON);
  return text === '' ? { said: '', field: {} } : { said: ` Reason: ${text}`, field: { rejectReason: text } };
}

export function executionRejected(reason: string | undefined): ToolExecuteResult {
  const { said, field } = readReason(reason);
  const message = `The user rejected this call; nothing was done.${said} Do not repeat it; go on without it or ask the user.`;
  return { status: 'execution_rejected', ...field, finalText: rejectionText(message) };
}

/** Nothing of the result is kept except `written`, so that Undo still finds it, and the fact that the outcome is unknown. */
export function resultRejected(result: ToolExecuteResult, reason: string | undefined): ToolExecuteResult {
  const { said, field } = readReason(reason);
  const isUnknown = result.status === 'unknown';
  const doubt = isUnknown ? ' It is not known whether it wrote anything.' : '';
  const message = `The call ran, but the user keeps its result from you.${doubt}${said} Do not repeat it; go on without it or ask the user.`;
  return {
    status: isUnknown ? 'unknown' : 'result_rejected',
    error: isUnknown ? unknownOutcome('the write was interrupted') : undefined,
    ...field,
    written: result.written,
    finalText: rejectionText(message),
  };
}

/** An expected failure as a result; the status says whether something may have been written. */
export function failureResult(error: EventError, status: ToolExecuteResult['status'] = statusOf(error)): ToolExecuteResult {
  const quoted = isToolError(error) ? error.quoted : undefined;
  const finalText = quotedText(errorText(error));
  return { status, error: toEventError(error), finalText, quoted: quoted || undefined };
}

function statusOf({ code }: EventError): ToolExecuteResult['status'] {
  if (code === 'aborted') return 'aborted';
  return code === 'outcome_unknown' ? 'unknown' : 'error';
}

export const noSuchTool = (name: string): string => `there is no tool "${frameName(preview(name, 80))}"`;

export function notFoundResult(name: string, near: readonly string[]): ToolExecuteResult {
  const next = near.length > 0 ? `call one of: ${near.join(', ')}` : 'use only the tools that are listed';
  return failureResult({ code: 'unknown_tool', message: noSuchTool(name), next }, 'not_found');
}

/** `begun`: it may have sent or run something. */
export function abortedResult(begun = false): ToolExecuteResult {
  const outcome = begun ? 'what it had begun may be done' : 'nothing was done';
  return failureResult({ code: 'aborted', message: `the call was stopped; ${outcome}`, next: 'ask the user whether to go on' });
}

export function unknownResult(why: string): ToolExecuteResult {
  return failureResult(unknownOutcome(why));
}

function unknownOutcome(why: string): EventError {
  const next = 'read the document before anything else and tell the user; do not repeat the call';
  return { code: 'outcome_unknown', message: `${why}; it may or may not have been written`, next };
}

export function timeoutResult(timeoutMs: number): ToolExecuteResult {
  const message = `the call took longer than ${Math.round(timeoutMs / 1000)} s and was stopped`;
  return failureResult({ code: 'timeout', message, next: 'ask for less, or try another way' });
}

/** An error thrown by a tool. For a write, only a ToolError means that nothing happened. */
export function thrownResult(error: unknown, effect: ToolEffect): ToolExecuteResult {
  const known = toToolError(error);
  if (effect === 'write' && known !== error) return unknownResult(`the write failed in the middle (${known.message})`);
  return failureResult(known);
}

export function noResult(effect: ToolEffect): ToolExecuteResult {
  if (effect === 'write') return unknownResult('the tool did not say what it wrote');
  return failureResult(new ToolError('no_result', 'the tool gave no result that can be read', 'try another way, or tell the user'));
}

const REVISED_TEXT =
  '(the user edited your text before approving it, so what was written is not what you sent; read it before you change it again)';
const LEFT_OUT_CHARS = 300;

/** Items of a list, or named values, each as text; undefined for anything else. */
function itemsOf(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : Object.entries(value).map((entry) => JSON.stringify(entry));
}

/** Tells the model of arguments that a person revised: parts were left out, or the text is theirs. */
export function revisionNotice(given: ToolArguments, revised: ToolArguments): string {
  const names = Object.keys({ ...given, ...revised }).filter((name) => JSON.stringify(given[name]) !== JSON.stringify(revised[name]));
  const [name = ''] = names;
  const [all, some] = [itemsOf(given[name]), itemsOf(revised[name])];
  if (names.length !== 1 || !all || !some?.every((item) => all.includes(item))) return REVISED_TEXT;
  const left = all.filter((item) => !some.includes(item));
  return `(the user left out ${left.length} of your ${all.length} ${name}, which were not written: ${preview(left.join(', '), LEFT_OUT_CHARS)})`;
}

/** Whatever the outcome of a call, its recorded arguments may contain the variables that were resolved into them. */
export function withArgumentSources(
  result: ToolExecuteResult,
  call: { readonly sources: readonly NoteSource[] } | undefined,
): ToolExecuteResult {
  return call === undefined || call.sources.length === 0 ? result : { ...result, sources: mergeSources(result.sources, call.sources) };
}
