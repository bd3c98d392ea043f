import {
  type ChangePlan,
  type PlanAction,
  type PlanNotice,
  type PlanOperation,
  type PlanPosition,
  withoutNewCells,
} from '../contract/plans.ts';
import type { UndoNote } from '../contract/undo-reasons.ts';
import { textPieces } from '../safe-content/unseen.ts';
import { subjectWords } from '../util/place-words.ts';
import type { MessageKey, Translate } from './i18n.ts';
import { documentsOf } from './operation-groups.ts';
import { own } from './own.ts';
import { capitalized, filledSentence, type Sentence } from './sentence-parts.ts';
import { joinSentences, sentenceCase } from './sentences.ts';
import { type StructureAction, structureClause } from './structure-labels.ts';

type BlockAction = Exclude<PlanAction, StructureAction | 'create-document'>;

const FIRST: readonly (readonly [BlockAction, MessageKey, MessageKey])[] = [
  ['update', 'plan.update', 'plan.update.more'],
  ['insert', 'plan.insert', 'plan.insert.more'],
  ['move', 'plan.move', 'plan.move.more'],
  ['delete', 'plan.delete', 'plan.delete.more'],
  ['set-attributes', 'plan.attributes', 'plan.attributes.more'],
  ['add-flashcard', 'plan.addCards', 'plan.addCards.more'],
  ['remove-flashcard', 'plan.removeCards', 'plan.removeCards.more'],
  ['set-cell', 'plan.setCells', 'plan.setCells'],
  ['add-row', 'plan.addRows', 'plan.addRows'],
  ['remove-row', 'plan.removeRows', 'plan.removeRows'],
  ['add-column', 'plan.addColumns', 'plan.addColumns'],
  ['rename-column', 'plan.renameColumns', 'plan.renameColumns'],
  ['move-column', 'plan.moveColumns', 'plan.moveColumns'],
  ['remove-column', 'plan.removeColumns', 'plan.removeColumns'],
  ['add-option', 'plan.addOptions', 'plan.addOptions'],
  ['create-database', 'plan.createDatabases', 'plan.createDatabases'],
];

/** "change 1 block", "change 1 block and add 2", "add 3 blocks, move 1 and delete 2". */
function clauses(operations: readonly PlanOperation[], t: Translate): string {
  const parts: string[] = [];
  for (const [action, first, more] of FIRST) {
    const n = operations.filter((operation) => operation.action === action).length;
    if (n > 0) parts.push(t(parts.length === 0 ? first : more, { n }));
  }
  const last = parts.pop() ?? t('plan.several', { n: operations.length });
  return parts.length === 0 ? last : t('plan.and', { list: parts.join(t('plan.comma')), last });
}

const BLOCKS: Readonly<Record<string, MessageKey>> = {
  h: 'block.h',
  p: 'block.p',
  l: 'block.l',
  i: 'block.i',
  c: 'block.c',
  t: 'block.t',
  m: 'block.m',
  b: 'block.b',
  s: 'block.s',
  callout: 'block.callout',
};

/** A block by its first words, or by its type. */
function blockPart({ type, words }: NonNullable<PlanPosition['block']>, t: Translate): Sentence {
  return words === '' ? [t(own(BLOCKS, type) ?? 'block.other')] : filledSentence(t, 'block.words', { words: [{ name: words }] });
}

function keyOf({ at, block }: PlanPosition): MessageKey | undefined {
  if (at === undefined) return undefined;
  if (at === 'before' || at === 'after') return at === 'before' ? 'place.above' : 'place.below';
  if (block?.type === 'h') return at === 'start' ? 'place.below' : 'place.sectionEnd';
  return at === 'start' ? 'place.start' : 'place.end';
}

/** "below “First words”", "at the end of the list": the position in the note; '' if unknown. */
export function positionInNote(position: PlanPosition, t: Translate): Sentence {
  const key = keyOf(position);
  if (key === undefined) return [];
  if (position.block) return filledSentence(t, key, { block: blockPart(position.block, t) });
  return [t(position.at === 'start' ? 'place.noteStart' : 'place.noteEnd')];
}

const isSamePosition = (one: PlanPosition | null | undefined, other: PlanPosition | null | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Actions whose blocks come to a place. */
const PLACED: ReadonlySet<PlanAction> = new Set(['insert', 'move', 'add-flashcard']);

/** The common target of all blocks, if nothing else is done. */
export function commonPosition(operations: readonly PlanOperation[]): PlanPosition | undefined {
  const [first] = operations;
  const position = first && PLACED.has(first.action) ? first.position?.after : undefined;
  if (!first || !position) return undefined;
  const isAlike = ({ action, position: other }: PlanOperation): boolean =>
    action === first.action && isSamePosition(other?.after, position);
  return operations.every(isAlike) ? position : undefined;
}

/** "Add 2 blocks below “First words” in *Apollo*", "Move 1 block to the end of *Apollo*". */
function placedSentence({ operations }: ChangePlan, position: PlanPosition, t: Translate): Sentence {
  const n = operations.length;
  const action = operations[0]?.action;
  const isMove = action === 'move';
  const document: Sentence = [{ path: position.path, isSubject: true }];
  const change: Sentence = [t(FIRST.find(([each]) => each === action)?.[1] ?? 'plan.insert', { n })];
  if (position.block) {
    const place = positionInNote(position, t);
    return filledSentence(t, isMove ? 'plan.moveTo' : 'plan.at', { change, document, place });
  }
  if (isMove) return filledSentence(t, position.at === 'start' ? 'plan.moveToStart' : 'plan.moveToEnd', { change, document });
  return filledSentence(t, position.at === 'start' ? 'plan.atStart' : 'plan.atEnd', { change, document });
}

/** "Add 4 rows to “Books” (1 new option) · *Reading*": cells of new rows and options are parts of what is done. */
function tableSentence({ operations, document }: ChangePlan, t: Translate): Sentence {
  const [first] = operations;
  const title = first?.document?.title ?? document.title;
  const database = first?.database || title;
  const rows = withoutNewCells(operations);
  const done = rows.filter(({ action }) => action !== 'add-option');
  const counted = done.length > 0 ? done : rows;
  const options = rows.length - counted.length;
  const key = counted.every(({ action }) => action === 'add-row') ? 'plan.toDatabase' : 'plan.inDatabase';
  const name: Sentence = [{ name: database, isSubject: true }];
  const sentence = filledSentence(t, key, { change: [clauses(counted, t)], database: name });
  const whole = options > 0 ? filledSentence(t, 'plan.newOptions', { sentence, n: options }) : sentence;
  return database === title ? whole : filledSentence(t, 'plan.ofNote', { sentence: whole, document: [{ name: title, isSubject: true }] });
}

export function planSentence(plan: ChangePlan, t: Translate): Sentence {
  const { operations, document } = plan;
  const structure = structureClause(plan, t);
  if (structure) return capitalized(structure);
  const created = operations.find((operation) => operation.action === 'create-document');
  const subject = (name: string): Sentence => [{ name, isSubject: true }];
  if (created) {
    const n = operations.filter((operation) => operation.action === 'insert').length;
    const notebook: Sentence = [{ path: [plan.notebook.name, ...(created.path?.after?.slice(0, -1) ?? [])] }];
    return capitalized(filledSentence(t, n > 0 ? 'plan.createFilled' : 'plan.create', { n, document: subject(document.title), notebook }));
  }
  const position = commonPosition(operations);
  if (position) return capitalized(placedSentence(plan, position, t));
  if (operations[0]?.cell) return capitalized(tableSentence(plan, t));
  const change: Sentence = [clauses(operations, t)];
  const documents = documentsOf(plan);
  if (documents.length > 1) return capitalized(filledSentence(t, 'plan.inNotes', { change, n: documents.length }));
  const title = documents[0]?.title ?? document.title;
  const onlyInserts = operations.every((operation) => operation.action === 'insert');
  return capitalized(filledSentence(t, onlyInserts ? 'plan.into' : 'plan.in', { change, document: subject(title) }));
}

const UNDO: Readonly<Record<ChangePlan['undo']['kind'], MessageKey>> = {
  exact: 'undo.exact',
  partial: 'undo.partial',
  none: 'undo.none',
};

const UNDO_NOTES: Readonly<Record<UndoNote, MessageKey>> = {
  history: 'undo.note.history',
  rows: 'undo.note.rows',
  'rows-and-cards': 'undo.note.rows-and-cards',
  'card-progress': 'undo.note.card-progress',
  'database-views': 'undo.note.database-views',
  'database-order': 'undo.note.database-order',
  references: 'undo.note.references',
  database: 'undo.note.database',
  notebook: 'undo.note.notebook',
};

/** The promise of Undo, with the losses that the plan names. */
export function undoSentence(plan: Pick<ChangePlan, 'undo'>, t: Translate): string {
  const said = t(UNDO[plan.undo.kind]);
  return joinSentences([said, ...(plan.undo.notes ?? []).map((note) => t(UNDO_NOTES[note]))]);
}

const NOTICES: Readonly<Record<string, MessageKey>> = {
  'remote-image-linked': 'notice.remote-image-linked',
  'attribute-dropped': 'notice.attribute-dropped',
  'link-neutralised': 'notice.link-neutralised',
  'shown-as-code': 'notice.shown-as-code',
  'unknown-reference': 'notice.unknown-reference',
  'front-matter-fenced': 'notice.front-matter-fenced',
  'references-lost': 'notice.references-lost',
  'attributes-lost': 'notice.attributes-lost',
  'rows-lost': 'notice.rows-lost',
  'children-deleted': 'notice.children-deleted',
  'blocks-removed': 'notice.blocks-removed',
  locked: 'notice.locked',
  'changes-orders': 'notice.changes-orders',
  'changes-project': 'notice.changes-project',
  'editor-read-only': 'notice.editor-read-only',
  'flashcards-lost': 'notice.flashcards-lost',
  'hidden-kept': 'notice.hidden-kept',
  'hidden-tags-kept': 'notice.hidden-tags-kept',
  'hidden-references-lost': 'notice.hidden-references-lost',
  'comes-under-guard': 'notice.comes-under-guard',
  'hidden-at-path': 'notice.hidden-at-path',
  'outside-plan': 'notice.outside-plan',
  'new-notes-only': 'notice.new-notes-only',
  'unreadable-references-kept': 'notice.unreadable-references-kept',
  'unreadable-references-lost': 'notice.unreadable-references-lost',
  'unsaid-kept': 'notice.unsaid-kept',
  'item-children-kept': 'notice.item-children-kept',
  'items-renumbered': 'notice.items-renumbered',
  'read-only-kept': 'notice.read-only-kept',
  'document-tags-kept': 'notice.document-tags-kept',
  'referring-kept': 'notice.referring-kept',
  'old-file-kept': 'notice.old-file-kept',
  'moved-to-trash': 'notice.moved-to-trash',
};

/** The filter's changes to the model's Markdown, and losses; a code without a text is shown as it is. */
export function noticeSentence(notice: PlanNotice, t: Translate, operations: readonly PlanOperation[] = []): string {
  const copies = operations.some((operation) => operation.action === 'duplicate-document');
  // The original keeps its own.
  const known = copies && notice.code === 'attributes-lost' ? 'notice.attributes-not-copied' : own(NOTICES, notice.code);
  return known ? t(known, { n: notice.count }) : t('notice.other', { code: notice.code, n: notice.count });
}

export function isQuiet(notice: PlanNotice): boolean {
  return notice.code.endsWith('-kept') || notice.code === 'moved-to-trash' || notice.code === 'front-matter-fenced';
}

const BLOCK_TYPES: Readonly<Record<string, MessageKey>> = {
  d: 'type.d',
  h: 'type.h',
  p: 'type.p',
  l: 'type.l',
  i: 'type.i',
  c: 'type.c',
  t: 'type.t',
  m: 'type.m',
  b: 'type.b',
  s: 'type.s',
  callout: 'type.callout',
};

const ACTIONS: Readonly<Record<PlanAction, MessageKey>> = {
  insert: 'action.insertType',
  update: 'action.update',
  delete: 'action.deleteType',
  move: 'action.move',
  'set-attributes': 'action.attributes',
  'add-flashcard': 'action.add-flashcard',
  'remove-flashcard': 'action.remove-flashcard',
  'set-cell': 'action.set-cell',
  'add-row': 'action.add-row',
  'remove-row': 'action.remove-row',
  'add-column': 'action.add-column',
  'rename-column': 'action.rename-column',
  'move-column': 'action.move-column',
  'remove-column': 'action.remove-column',
  'add-option': 'action.add-option',
  'create-database': 'action.create-database',
  'create-document': 'action.create-document',
  'rename-document': 'action.rename-document',
  'move-document': 'action.move-document',
  'duplicate-document': 'action.duplicate-document',
  'delete-document': 'action.delete-document',
  'create-notebook': 'action.create-notebook',
  'rename-notebook': 'action.rename-notebook',
  'open-notebook': 'action.open-notebook',
  'close-notebook': 'action.close-notebook',
  'remove-notebook': 'action.remove-notebook',
  'write-file': 'action.write-file',
  'plan-steps': 'action.plan-steps',
};

/** The first words that an operation leaves there, or removes: for an outline. */
export function operationExcerpt(operation: PlanOperation): string {
  const [line = ''] = subjectWords(operation).split('\n', 1);
  return line;
}

/** "Change paragraph", "Add heading", "Move note": the label of one operation's switch. */
export function operationLabel(operation: PlanOperation, t: Translate): string {
  const type = t(own(BLOCK_TYPES, operation.blockType) ?? 'type.other');
  const { action, before, after } = operation;
  if (action === 'delete' && isBlank(before)) return sentenceCase(t('action.deleteEmpty', { type }));
  if (action === 'insert' && isBlank(after)) return sentenceCase(t('action.insertEmpty', { type }));
  if (action === 'add-flashcard' && before === null) return sentenceCase(t('action.newFlashcard'));
  return sentenceCase(t(ACTIONS[action], { type }));
}

const isBlank = (text: string | null): boolean => text !== null && text.replaceAll('\u200b', '').trim() === '';
/** White space of every kind, and invisible characters. */
const withoutRoom = (text: string): string =>
  textPieces(text)
    .map((piece) => (typeof piece === 'string' ? piece.replace(/\s+/gu, '') : ''))
    .join('');

/** A note on a change that could be overlooked: only of white space, or of invisible characters. */
export function overlookedChange({ action, before, after }: PlanOperation): MessageKey | undefined {
  if (action !== 'update' || before === null || after === null || before === after) return undefined;
  if (before.replace(/[\s\u00a0]+/gu, '') === after.replace(/[\s\u00a0]+/gu, '')) return 'diff.onlyRoom';
  return withoutRoom(before) === withoutRoom(after) ? 'diff.onlyUnseen' : undefined;
}
