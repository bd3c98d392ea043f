import type { FlashcardReading } from '../contract/note-queries.ts';
import type { NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument, WRITE_ASKING } from '../util/define.ts';
import { preview } from '../util/graphemes.ts';
import { applyApproved, NOTEBOOK_SCOPE } from './common/approved-write.ts';
import { defineNoteTool, ID_LIST, idListArgument } from './common/note-tool.ts';
import { changesResult } from './common/write-result.ts';
import { skillText } from './skill-texts/load-text.ts';

const PAGE_SIZE = 20;
/** Of a card's text. */
const MAX_CHARS = 600;

/** Group `flashcards`: SiYuan's own cards, each a block of a note. */
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
  subject: ['op'],
  examples: [{ op: 'due' }, { op: 'list', id: '/Apollo' }, { op: 'create', ids: ['/Apollo#1'] }],
} as const satisfies ToolInfo;

function createFlashcards(notes: NotesPort): Tool {
  return defineNoteTool({
    name: FLASHCARDS.name,
    description: 'Flashcards: those due now, all of them, or make blocks into cards (or stop). The user reviews them in SiYuan.',
    properties: {
      op: { enum: ['due', 'list', 'create', 'remove'] },
      id: { type: 'string', description: 'for due and list: of a notebook or document' },
      ids: { ...ID_LIST, description: 'for create and remove: blocks' },
      page: { type: 'integer', minimum: 1 },
    },
    required: ['op'],
    ...WRITE_ASKING,
    // Whatever is not plainly a read is gated as the write that it may be.
    traits: (args) => (isReading(args) ? READ_FREELY : WRITE_ASKING),
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) => {
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
  const more = nextPage === null ? [] : [`next: flashcards op=${String(args.op)} page=${nextPage}`];
  return {
    status: 'success',
    data: [`${total} ${args.op === 'due' ? 'cards are due' : 'cards'}`, ...items.map(cardLines), ...more].join('\n'),
    notebooks: [...new Set(items.map(({ notebook }) => notebook.id))],
    blockIds: items.flatMap(({ id, document }) => [id, document.id]),
  };
}
