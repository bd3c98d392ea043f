import type { AnswerSegment, ToolCallView } from '../../chat/view.ts';
import type { MessageKey, Translate } from '../i18n.ts';
import { duration, sentenceCase } from './format.ts';
import { type WorkKind, workKind } from './tool-words.ts';

export function callsOf(segments: readonly AnswerSegment[]): ToolCallView[] {
  return segments.flatMap((segment) => (segment.kind === 'call' ? [segment.call] : []));
}

export function isRejected(call: ToolCallView): boolean {
  return call.status === 'execution_rejected' || call.status === 'result_rejected';
}

export function isOver(call: ToolCallView): boolean {
  return call.status !== 'running' && call.status !== 'waiting';
}

/** The call is a question to the person: its result is their answer. */
export function isQuestion(call: Pick<ToolCallView, 'tool'>): boolean {
  return call.tool === 'ask_user';
}

/** What a read call read; two reads of one note count once. */
function subject(call: ToolCallView): string[] {
  const { id, path, items } = call.args;
  if (Array.isArray(items)) return items.map((item) => JSON.stringify(item));
  return [String(id ?? path ?? call.callId)];
}

const CLAUSES: readonly (readonly [WorkKind, MessageKey])[] = [
  ['read', 'work.read'],
  ['search', 'work.search'],
  ['list', 'work.list'],
  ['write', 'work.write'],
  ['other', 'work.other'],
];

/**
 * "Read 3 notes · searched twice · 4.2 s": what the calls of an answer did, counted. Only what succeeded counts as done;
 * what failed or was rejected is said apart. Empty when nothing was called.
 */
export function workInWords(segments: readonly AnswerSegment[], t: Translate): string {
  const calls = callsOf(segments);
  if (calls.length === 0) return '';
  const done = calls.filter((call) => call.status === 'success');
  const clauses: string[] = [];
  for (const [kind, key] of CLAUSES) {
    const ofKind = done.filter((call) => workKind(call) === kind && !isQuestion(call));
    const n = kind === 'read' ? new Set(ofKind.flatMap(subject)).size : ofKind.length;
    if (n > 0) clauses.push(t(key, { n }));
  }
  const asked = calls.filter((call) => isQuestion(call) && (call.status === 'success' || call.status === 'error')).length;
  if (asked > 0) clauses.push(t('work.asked', { n: asked }));
  const rejected = calls.filter(isRejected).length;
  const cut = calls.filter((call) => call.status === 'interrupted' || call.status === 'aborted' || call.status === 'unknown').length;
  // A question that was skipped did not fail.
  const failed = calls.filter((call) => (call.status === 'error' || call.status === 'not_found') && !isQuestion(call)).length;
  if (rejected > 0) clauses.push(t('work.rejected', { n: rejected }));
  if (cut > 0) clauses.push(t('work.cut', { n: cut }));
  if (failed > 0) clauses.push(t('work.failed', { n: failed }));
  if (clauses.length === 0) return t('work.running');
  // How long a person thought is not work.
  const time = calls.reduce((sum, call) => sum + (isQuestion(call) ? 0 : (call.durationMs ?? 0)), 0);
  if (time > 0) clauses.push(duration(time, t));
  return sentenceCase(clauses.join(' · '));
}
