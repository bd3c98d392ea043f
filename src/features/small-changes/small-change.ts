import { type ChangePlan, deletes, type PlanOperation } from '../../tools/contract/plans.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import { ASK_REASONS, type AskReason } from '../../tools/executor/ran-tools.ts';
import { markdownRows } from '../../tools/plan-words/operation-rows.ts';
import { textPieces } from '../../tools/safe-content/unseen.ts';

export interface SmallLimits {
  /** Blocks of one answer. */
  readonly blocks: number;
  /** Words that it takes away and adds, together; a sign of Chinese is a word. */
  readonly words: number;
}

/** Tools that change the text of notes. What the memory and databases hold is more than text. */
const TOOLS: ReadonlySet<string> = new Set(['edit_block', 'insert_blocks', 'rewrite_doc', 'daily_note']);
/** Text alone: headings, paragraphs, lists, tables, quotes. What runs or is drawn from elsewhere is not. */
const TYPES: ReadonlySet<string> = new Set(['h', 'p', 'l', 'i', 't', 'b']);
/** Groups of tools that give nothing but what is in the notes, and what the model itself kept. */
const OWN_GROUPS: ReadonlySet<string> = new Set([
  ...['notebooks', 'documents', 'blocks', 'search', 'attributes', 'tags', 'databases', 'flashcards'],
  ...['memory', 'skills', 'basic', 'vars', 'plan'],
]);

/** Of scripts that leave no room between words, each sign. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
/** What is no word counts as well where there is much of it: ten marks, each picture, each thirty letters on end. */
const WORD = new RegExp(`[${UNSPACED}]|\\p{Extended_Pictographic}|[\\p{P}\\p{S}]{10}|[^\\s\\p{P}\\p{S}${UNSPACED}]{1,30}`, 'gu');
/** What leads out of a note or says more than text: addresses, pictures, HTML, attributes, embedded searches, code, formulas, footnotes, tags. */
const MORE_THAN_TEXT =
  /[a-z][a-z0-9+.-]*:\/\/\S*|\bwww\.\S+|\]\([^)]*\)|<[a-z!/][^>]*>|\{:[^}]*\}|\{\{[\s\S]*?\}\}|custom-[\w-]+|^[\s>*+\-\d.]*(?:`{3,}|~{3,})[^\n]*|\$\$[\s\S]*?\$\$|\$(?![\s\d])[^$\n]*\$(?!\d)|\[[^\]\n]+\]:\s*\S*|#[^#\s][^#\n]*#/gimu;

const countOf = (text: string): number => text.match(WORD)?.length ?? 0;

/** Words in which the text before differs from that after, on both sides; a line that differs counts as one at least. */
function changedWords(operation: PlanOperation): number {
  const lines = markdownRows(operation).map((row) => (row.kind === 'fold' ? [] : row.parts.filter(({ marked }) => marked)));
  const countIn = (parts: readonly { readonly text: string }[]): number => parts.reduce((sum, { text }) => sum + countOf(text), 0);
  return lines.reduce((sum, parts) => sum + (parts.length === 0 ? 0 : Math.max(1, countIn(parts))), 0);
}

const beyondText = (text: string | null): readonly string[] => [
  ...(text?.match(MORE_THAN_TEXT) ?? []),
  ...textPieces(text ?? '').flatMap((piece) => (typeof piece === 'string' ? [] : `${piece.code}×${piece.count}`)),
];

/** Tells if nothing comes in that is not in the text before, in the order in which it is there: two addresses that change places are new ones. */
function addsTextAlone({ before, after }: PlanOperation): boolean {
  const had = beyondText(before);
  let next = 0;
  return beyondText(after).every((each) => {
    next = had.indexOf(each, next) + 1;
    return next > 0;
  });
}

/** The first reason, in the order of `ASK_REASONS`, for which one operation is not a small change. */
function whyAskAbout(operation: PlanOperation): AskReason | undefined {
  const { action, blockType, after, attributes } = operation;
  const isText = action === 'insert' || action === 'update';
  if (deletes([operation]) || action === 'move' || (isText && countOf(after ?? '') === 0)) return 'deletes';
  if (!isText || !TYPES.has(blockType) || attributes) return 'more';
  return addsTextAlone(operation) ? undefined : 'adds';
}

/** Undefined for a plan that changes little text, with what went through `earlier` in the same answer, and Undo brings back exactly what was there; else why it is asked about. `groups`: of the tools whose results are in the chat. */
export function whyAsk(
  plan: ChangePlan,
  groups: ReadonlySet<string>,
  { blocks, words }: SmallLimits,
  earlier: readonly Pick<ChangePlan, 'operations'>[] = [],
): AskReason | undefined {
  const { tool, operations, undo, needsRight, notices } = plan;
  const all = [...earlier, plan].flatMap((each) => each.operations);
  if (![...groups].every((group) => OWN_GROUPS.has(group))) return 'foreign';
  const found = operations.flatMap((operation) => whyAskAbout(operation) ?? []);
  const first = ASK_REASONS.find((reason) => found.includes(reason));
  if (first !== undefined) return first;
  if (!TOOLS.has(tool) || operations.length === 0) return 'more';
  if (all.length > blocks) return 'blocks';
  if (all.reduce((sum, each) => sum + changedWords(each), 0) > words) return 'words';
  if (undo.kind !== 'exact') return 'undo';
  return needsRight !== undefined || notices.length > 0 ? 'remark' : undefined;
}

/** Tells if a note is followed by models: one below the note of the skills. Where that cannot be read, every note may be one. */
export async function isInstruction(
  plan: ChangePlan,
  skills: string,
  notes: Pick<NotesPort, 'blockInfo'>,
  signal: AbortSignal,
): Promise<boolean> {
  const [info] = await notes.blockInfo([skills], signal);
  if (!info || 'code' in info) return true;
  const { document, notebook } = info;
  return notebook.id === plan.notebook.id && `${plan.document.path}/`.startsWith(`${document.path}/`);
}
