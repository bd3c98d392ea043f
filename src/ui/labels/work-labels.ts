import type { AnswerSegment, ToolCallView } from '../../chat/view/view.ts';
import type { WorkKind } from '../../tools/contract/tool-info.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { callErrorLabel } from './error-labels.ts';
import { duration, joinSentences, sentenceCase } from './format.ts';
import { skillName, workKind } from './tool-labels.ts';

/** A server of other people answered with a picture: it is what the person asked for, and shown without a press. */
export const showsPicture = ({ tool, preview = '' }: ToolCallView): boolean =>
  tool.startsWith('mcp_') && /!\[[^\]]*\]\(assets\//.test(preview);

export function callsOf(segments: readonly AnswerSegment[]): ToolCallView[] {
  return segments.flatMap((segment) => (segment.kind === 'call' ? [segment.call] : []));
}

/** With those of sub-agents. */
export function allCallsOf(segments: readonly AnswerSegment[]): readonly ToolCallView[] {
  return callsOf(segments).flatMap((call) => [call, ...(call.subAgent ? callsOf(call.subAgent.segments) : [])]);
}

export function isRejected(call: Pick<ToolCallView, 'status'>): boolean {
  return call.status === 'execution_rejected' || call.status === 'result_rejected';
}

const isStopped = (call: Pick<ToolCallView, 'status'>): boolean => call.status === 'aborted';

/** It is being written, or waits for its turn. */
export function isAhead(call: Pick<ToolCallView, 'status'>): boolean {
  return call.status === 'writing' || call.status === 'queued';
}

export function isOver(call: Pick<ToolCallView, 'status'>): boolean {
  return !isAhead(call) && call.status !== 'running' && call.status !== 'waiting';
}

/** The call is a question to the person: its result is their answer. */
export function isQuestion(call: Pick<ToolCallView, 'tool'>): boolean {
  return call.tool === 'ask_user';
}

const noteIn = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, path } = value as { readonly id?: unknown; readonly path?: unknown };
  return id === undefined && path === undefined ? undefined : String(id ?? path);
};

/** The notes that a read call read: two reads of one note count once. */
function subject({ args, callId }: ToolCallView): string[] {
  if (Array.isArray(args.items)) return args.items.map((item) => noteIn(item) ?? JSON.stringify(item));
  return [noteIn(args) ?? callId];
}

const CLAUSES: readonly (readonly [WorkKind, MessageKey])[] = [
  ['write', 'work.write'],
  ['read', 'work.read'],
  ['search', 'work.search'],
  ['list', 'work.list'],
  ['agent', 'work.agents'],
  ['web-search', 'work.webSearch'],
  ['web-page', 'work.webPage'],
  ['memory', 'work.memory'],
  ['skill', 'work.skills'],
  ['other', 'work.other'],
];

/** It changes notes, so it may have waited for an approval. */
export function isWrite(call: ToolCallView): boolean {
  return call.wrote !== undefined || workKind(call) === 'write';
}

/** The note that it wrote to no longer exists. */
export function deletesNotes(call: Pick<ToolCallView, 'tool'>): boolean {
  return call.tool === 'delete_doc';
}

const stands = (call: ToolCallView): boolean => call.wrote !== undefined || call.status === 'success';

/** Whether an answer changed anything, as far as is known. */
export function hasWritten(segments: readonly AnswerSegment[]): boolean {
  return allCallsOf(segments).some((call) => isWrite(call) && stands(call));
}

export interface WrittenNote {
  readonly id: string;
  readonly title: string;
}

/** The notes that an answer wrote into, without duplicates, in order; deleted ones are marked. */
export function notesWritten(segments: readonly AnswerSegment[]): readonly WrittenNote[] {
  const notes = new Map<string, WrittenNote>();
  for (const call of allCallsOf(segments)) {
    const { wrote } = call;
    if (wrote && !deletesNotes(call) && wrote.documentId !== '' && !notes.get(wrote.documentId)?.title)
      notes.set(wrote.documentId, { id: wrote.documentId, title: wrote.title });
  }
  return [...notes.values()];
}

/** The subject of a call, without its content: a retry is recognized by it. */
function target({ tool, args }: ToolCallView): string {
  const { markdown: _markdown, edits: _edits, expectHash: _hash, ...rest } = args;
  return JSON.stringify([tool, rest]);
}

/** What a person must know of an answer whatever it says itself: changes that are not in the notes, or may be. */
export interface UnwrittenChanges {
  readonly failed: number;
  readonly rejected: number;
  /** Not started, in manual mode. */
  readonly skipped: number;
  /** The user stopped the answer before they were sent. */
  readonly stopped: number;
  /** They may or may not have been written. */
  readonly unknown: number;
  /** The reason, if one sentence covers all. */
  readonly why: string;
}

/**
 * A failed change that a retry made counts as made; so does one that the note had already. A change that waited for
 * approval when the program ended is shown with all of its text. `after`: what the answer did later.
 */
export function unwrittenChanges(
  segments: readonly AnswerSegment[],
  t: Translate,
  after: readonly AnswerSegment[] = [],
): UnwrittenChanges | undefined {
  const changes = (of: readonly AnswerSegment[]): ToolCallView[] => allCallsOf(of).filter((call) => isWrite(call) && isOver(call));
  const own = changes(segments);
  const calls = [...own, ...changes(after)];
  const missing = own.filter((call, index) => {
    if (stands(call) || call.proposed || call.status === 'result_rejected' || call.error?.code === 'no_change') return false;
    return call.status === 'execution_rejected' || !calls.slice(index + 1).some((later) => stands(later) && target(later) === target(call));
  });
  if (missing.length === 0) return undefined;
  const unknown = missing.filter((call) => call.status === 'unknown' || call.status === 'interrupted').length;
  const turnedDown = missing.filter((call) => call.status === 'execution_rejected').length;
  const skipped = missing.filter((call) => call.skipped).length;
  const rejected = turnedDown - skipped;
  const stopped = missing.filter(isStopped).length;
  const reasons = new Set(missing.map((call) => (isRejected(call) || isStopped(call) || !call.error ? '' : callErrorLabel(call.error, t))));
  const [why = ''] = reasons.size === 1 ? reasons : [];
  return { failed: missing.length - unknown - turnedDown - stopped, rejected, skipped, stopped, unknown, why };
}

/** The same as sentences. Reasons of several kinds share one. */
export function unwrittenLabel({ failed, rejected, skipped, stopped, unknown, why }: UnwrittenChanges, t: Translate): string {
  const kinds = [
    { n: failed, alone: 'work.notWritten', among: 'work.failed' },
    { n: rejected, alone: 'work.turnedDown', among: 'work.rejected' },
    { n: skipped, alone: 'work.skippedChanges', among: 'work.skipped' },
    { n: stopped, alone: 'work.stoppedChanges', among: 'work.stopped' },
  ] as const;
  const found = kinds.filter(({ n }) => n > 0);
  const all = found.reduce((sum, { n }) => sum + n, 0);
  const each = found.map(({ n, among }) => t(among, { n })).join(t('work.comma'));
  return joinSentences([
    ...(found.length > 1 ? [t('work.unwrittenEach', { n: all, each })] : found.map(({ n, alone }) => t(alone, { n }))),
    ...(unknown > 0 ? [t('work.maybeWritten', { n: unknown })] : []),
    ...(why === '' ? [] : [why]),
  ]);
}

/** How many changes of a call were written, if the user left some out, and what those would have been. */
export function leftOutLabel({ wrote }: Pick<ToolCallView, 'wrote'>, t: Translate): string {
  const { leftOut = 0, planned = 0, leftOutWords = [] } = wrote ?? {};
  if (leftOut === 0) return '';
  if (planned <= leftOut) return t('tool.leftOut', { n: leftOut });
  const counts = { n: planned - leftOut, total: planned, left: leftOut };
  if (leftOutWords.length === 0) return t('tool.inPart', counts);
  const words = leftOutWords.map((each) => t('tool.words', { words: each })).join(t('work.comma'));
  return t('tool.inPartWords', { ...counts, words: leftOut > leftOutWords.length ? `${words}…` : words });
}

/** One note by its title, several by their number; '' for none. */
function deletedLabel(calls: readonly ToolCallView[], t: Translate): string {
  const deleting = calls.filter((call) => deletesNotes(call) && stands(call));
  const n = deleting.reduce((sum, { args }) => sum + (Array.isArray(args.ids) ? args.ids.length : 1), 0);
  const title = deleting[0]?.wrote?.title ?? '';
  if (n === 1 && title !== '') return t('work.deleted', { notes: title });
  return n > 0 ? t('work.deletedCount', { n }) : '';
}

/** Milliseconds in which at least one call worked. A person's thinking time is excluded: questions and changes do not count. */
function workingTime(calls: readonly ToolCallView[]): number {
  const spans = calls
    .filter((call) => !isQuestion(call) && !isWrite(call))
    .map(({ started, durationMs = 0 }) => ({ started, ended: started + durationMs }))
    .sort((one, other) => one.started - other.started);
  let time = 0;
  let covered = Number.NEGATIVE_INFINITY;
  for (const { started, ended } of spans) {
    time += Math.max(0, ended - Math.max(started, covered));
    covered = Math.max(covered, ended);
  }
  return time;
}

/** The placeholder of the links to the notes in `workLabel`. */
export const NOTES_PLACE = '\u0000';

const namesOf = (segments: readonly AnswerSegment[], t: Translate): string =>
  notesWritten(segments)
    .map(({ title }) => title || t('work.aNote'))
    .join(t('work.comma'));

/**
 * "Wrote into Apollo · read 3 notes · searched twice · 4.2 s": counts of an answer's calls. Only successful ones
 * count as done; failed or rejected ones are mentioned separately, changes elsewhere (`unwrittenChanges`). Empty if nothing was called.
 * `notes`: the names of the notes written into.
 */
export function workLabel(segments: readonly AnswerSegment[], t: Translate, notes = namesOf(segments, t)): string {
  const calls = callsOf(segments);
  if (calls.length === 0) return '';
  const clauses = clausesOf(calls, t, notes);
  if (clauses.length === 0) return calls.every(isOver) ? t('work.steps', { n: calls.length }) : t('work.running');
  const time = workingTime(calls);
  if (time > 0) clauses.push(duration(time, t));
  return sentenceCase(clauses.join(' · '));
}

/** The same for finished calls, without their time; '' if there are none. */
export function workDone(calls: readonly ToolCallView[], t: Translate): string {
  const segments = calls.map((call): AnswerSegment => ({ kind: 'call', call }));
  const clauses = clausesOf(calls, t, namesOf(segments, t));
  return clauses.length === 0 && calls.length > 0 ? t('work.steps', { n: calls.length }) : sentenceCase(clauses.join(' · '));
}

function skillNames(calls: readonly ToolCallView[], t: Translate): string {
  const names = new Set(calls.map((call) => t('work.quoted', { title: skillName(call, t) })));
  return [...names].join(t('work.comma'));
}

function clausesOf(calls: readonly ToolCallView[], t: Translate, notes: string): string[] {
  const done = calls.filter(stands);
  const writes = allCallsOf(calls.map((call) => ({ kind: 'call', call }))).filter((call) => call.wrote && !deletesNotes(call));
  const onlyDeletes = writes.length > 0 && writes.every(({ tool }) => tool === 'delete_blocks');
  const clauses: string[] = notes === '' ? [] : [t(onlyDeletes ? 'work.deletedFrom' : 'work.wroteInto', { notes })];
  const leftOut = done.reduce((sum, { wrote }) => sum + (wrote?.leftOut ?? 0), 0);
  if (leftOut > 0) clauses.push(t('work.leftOut', { n: leftOut }));
  const deleted = deletedLabel(calls, t);
  if (deleted !== '') clauses.push(deleted);
  for (const [kind, key] of CLAUSES) {
    const isNamed = (call: ToolCallView): boolean =>
      isQuestion(call) || deletesNotes(call) || (notes !== '' && Boolean(call.wrote?.documentId));
    const ofKind = done.filter((call) => workKind(call) === kind && !isNamed(call));
    const n = kind === 'read' ? new Set(ofKind.flatMap(subject)).size : ofKind.length;
    if (n > 0) clauses.push(t(key, { n, names: kind === 'skill' ? skillNames(ofKind, t) : '' }));
  }
  const asked = calls.filter((call) => isQuestion(call) && (call.status === 'success' || call.status === 'error')).length;
  if (asked > 0) clauses.push(t('work.asked', { n: asked }));
  const others = calls.filter((call) => !isWrite(call) && !isQuestion(call));
  const skipped = others.filter((call) => call.skipped).length;
  const rejected = others.filter(isRejected).length - skipped;
  const cut = others.filter((call) => call.status === 'interrupted' || call.status === 'aborted' || call.status === 'unknown').length;
  const failed = others.filter((call) => call.status === 'error' || call.status === 'not_found').length;
  if (skipped > 0) clauses.push(t('work.skipped', { n: skipped }));
  if (rejected > 0) clauses.push(t('work.rejected', { n: rejected }));
  if (cut > 0) clauses.push(t('work.cut', { n: cut }));
  if (failed > 0) clauses.push(t('work.failed', { n: failed }));
  return clauses;
}

/** Why a note is related to another. `words`: those in both; none if it is similar in meaning alone. */
export function sharedLabel(words: readonly string[], t: Translate): string {
  return words.length === 0 ? t('found.similar') : t('found.shared', { words: words.join(t('work.comma')) });
}
