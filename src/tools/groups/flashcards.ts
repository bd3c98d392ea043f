import { ToolError } from '../contract/errors.ts';
import type { NewCard } from '../contract/note-planner.ts';
import type { FlashcardReading } from '../contract/note-queries.ts';
import type { NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument, WRITE_ASKING } from '../util/define.ts';
import { preview } from '../util/graphemes.ts';
import { nextCall } from '../util/line-parts.ts';
import { applyApproved, NOTEBOOK_SCOPE } from './common/approved-write.ts';
import { defineNoteTool, ID_LIST, idArgument, idListArgument } from './common/note-tool.ts';
import { changesResult } from './common/write-result.ts';
import { skillText } from './skill-texts/load-text.ts';

const PAGE_SIZE = 20;
const MAX_CHARS = 600;
/** Cards that a person can review in one approval. */
const MOST_NEW = 30;

const CARD_LIST = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: { question: { type: 'string' }, answer: { type: 'string' } },
    required: ['question', 'answer'],
    additionalProperties: false,
  },
  description: 'create: Markdown, one fact each',
} as const;

export function createFlashcardsGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'flashcards',
    declareSkillRules: {
      cards: { desc: 'how cards are written, and what makes a good one', when: 'before you make any', prompt: skillText('CARDS_RULE') },
    },
    tools: [createFlashcards(notes)],
  };
}

export const FLASHCARDS = {
  name: 'flashcards',
  kind: 'list',
  kinds: { create: 'write', remove: 'write' },
  icon: 'iconMarginaliaCards',
  examples: [
    { op: 'due' },
    { op: 'list', id: '/Apollo' },
    { op: 'create', ids: ['/Apollo#1'] },
    { op: 'create', id: '/Apollo', cards: [{ question: 'Who led Apollo?', answer: 'Ada' }] },
  ],
} as const satisfies ToolInfo;

function createFlashcards(notes: NotesPort): Tool {
  return defineNoteTool({
    name: FLASHCARDS.name,
    description:
      'Flashcards: those due, all, create, or remove. To create, give questions and answers, which become new blocks, or ids of blocks. Only the user rates cards: "Review flashcards" in the panel\'s menu, or SiYuan.',
    properties: {
      op: { enum: ['due', 'list', 'create', 'remove'] },
      id: {
        type: 'string',
        description: 'due, list: a notebook or document. cards: the document whose end they go to, or the block before',
      },
      cards: CARD_LIST,
      ids: { ...ID_LIST, description: 'create, remove: blocks' },
      page: { type: 'integer', minimum: 1 },
    },
    required: ['op'],
    byNeed: 'cards to learn: make, list, remove, review',
    ...WRITE_ASKING,
    // Whatever is not plainly a read is gated as the write that it may be.
    traits: (args) => (isReading(args) ? READ_FREELY : WRITE_ASKING),
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) => {
      const cards = newCards(args);
      if (cards) return notes.planNewCards({ cards, at: idArgument(args, 'id') }, FLASHCARDS.name, signal);
      const op = args.op === 'remove' ? 'remove' : 'create';
      return notes.planFlashcards({ op, ids: idListArgument(args, 'ids') }, FLASHCARDS.name, signal);
    },
    execute: async (args, context) => {
      if (isReading(args)) return listCards(notes, args, context.signal);
      const { approved, report } = await applyApproved(notes, context);
      return changesResult(args.op === 'remove' ? 'removed flashcards' : 'made flashcards', approved, report);
    },
  });
}

/** The questions and answers to write; undefined where blocks that exist are meant. */
function newCards({ op, cards, ids }: ToolArguments): readonly NewCard[] | undefined {
  if (op !== 'create' || !Array.isArray(cards) || cards.length === 0) return undefined;
  if (ids !== undefined)
    throw new ToolError('bad_arguments', 'cards and ids are given', 'call flashcards once with cards and id, and once with ids');
  if (cards.length > MOST_NEW)
    throw new ToolError('too_many', `${cards.length} cards at once`, `give the best ${MOST_NEW}, then call again`);
  return cards.map((card: Partial<NewCard>) => ({ question: String(card.question), answer: String(card.answer) }));
}

const isReading = ({ op }: ToolArguments): boolean => op === 'due' || op === 'list';

function cardLines({ id, markdown, document, notebook, due, reviews, lapses }: FlashcardReading): string {
  const progress = reviews === 0 ? 'new' : `${reviews} reviews, ${lapses} lapses`;
  const text = preview(markdown, MAX_CHARS).replaceAll('\n', '\n  ');
  return `[${id}] due ${due.slice(0, 16)}, ${progress}, in ${document.path} [${document.id}], ${notebook.name}\n  ${text}`;
}

async function listCards(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const page = numberArgument(args, 'page', 1);
  const query = { in: textArgument(args, 'id'), due: args.op === 'due', page, pageSize: PAGE_SIZE };
  const { items, total, nextPage } = await notes.flashcards(query, signal);
  const more = nextPage === null ? [] : [nextCall(FLASHCARDS.name, args, { page: nextPage })];
  return {
    status: 'success',
    data: [`${total} ${args.op === 'due' ? 'cards are due' : 'cards'}`, ...items.map(cardLines), ...more].join('\n'),
    notebooks: [...new Set(items.map(({ notebook }) => notebook.id))],
    blockIds: items.flatMap(({ id, document }) => [id, document.id]),
  };
}
