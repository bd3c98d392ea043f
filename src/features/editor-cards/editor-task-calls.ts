import type { WantedCall } from '../../chat/turn/user-calls.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { literalText } from '../../tools/executor/references.ts';
import { cardsAsMarkdown, wholeCards } from './card-answer.ts';
import { cleanAnswer, joinedParts, keepForm, shapeOf, splitParts } from './editor-task-instructions.ts';
import type { TaskSource } from './editor-task-reading.ts';
import type { EditorTaskRequest } from './editor-task-types.ts';

export function readableAnswer(answer: string, source: Pick<TaskSource, 'blocks' | 'cards'> | null): string {
  if (source?.cards) return cardsAsMarkdown(cleanAnswer(answer, false));
  return joinedParts(cleanAnswer(answer, source?.blocks.some((block) => block.type === 'c') ?? false)).trim();
}

/** Replaces an empty paragraph if there is one, else inserts next to what the action is about. */
export function insertCall(source: TaskSource, answer: string): WantedCall {
  const { empty } = source;
  if (!empty) return besideCall(source, answer);
  const markdown = literalText(readableAnswer(answer, source));
  return { tool: 'edit_block', args: { id: empty.id, expectHash: empty.hash, markdown } };
}

export function besideCall(source: TaskSource, answer: string): WantedCall {
  const { anchor, position } = source.place;
  return { tool: 'insert_blocks', args: { anchor, position, markdown: literalText(readableAnswer(answer, source)) } };
}

/** At the end of the note that is meant as a whole, else after the last block. */
function cardsCall({ document, documentId, empty, place }: TaskSource, answer: string): WantedCall {
  const cards = wholeCards(cleanAnswer(answer, false)).map(({ question, answer: back }) => ({
    question: literalText(question),
    answer: literalText(back),
  }));
  return { tool: 'flashcards', args: { op: 'create', id: document && !empty ? documentId : place.anchor, cards } };
}

function editCalls(source: TaskSource, answer: string): readonly WantedCall[] | undefined {
  const clean = cleanAnswer(
    answer,
    source.blocks.some((block) => block.type === 'c'),
  );
  const [only] = source.blocks;
  if (source.selection !== undefined && only) {
    const edits = [{ old: literalText(source.selection), new: literalText(clean) }];
    return [{ tool: 'edit_block', args: { id: only.id, expectHash: only.hash, edits } }];
  }
  const blocks = source.blocks.filter((block) => block.markdown.trim() !== '');
  const parts = splitParts(clean, blocks.length);
  return parts?.flatMap((part, index): WantedCall[] => {
    const block = blocks[index];
    if (!block || (part === block.markdown.trim() && blocks.length > 1)) return [];
    const markdown = literalText(keepForm(block.type, block.markdown, part));
    return [{ tool: 'edit_block', args: { id: block.id, expectHash: block.hash, markdown } }];
  });
}

/** The calls that write an answer as its action requires; none for an answer that is only read. */
export function wantedCalls(
  request: EditorTaskRequest,
  source: TaskSource,
  answer: string,
  executor: Pick<ToolExecutor, 'isCallable'>,
): readonly WantedCall[] {
  const shape = shapeOf(request.action);
  if (shape === 'answer') return [];
  if (shape === 'cards') return [cardsCall(source, answer)];
  if (shape === 'insert') return [insertCall(source, answer)];
  if (!source.document) return editCalls(source, answer) ?? [insertCall(source, answer)];
  if (source.incomplete) {
    throw new ToolError('too_large', 'not all of this note could be read, so it cannot be replaced', 'choose some of its blocks instead');
  }
  if (!executor.isCallable('rewrite_doc')) return [insertCall(source, answer)];
  return [{ tool: 'rewrite_doc', args: { id: source.documentId, markdown: literalText(readableAnswer(answer, source)) } }];
}
