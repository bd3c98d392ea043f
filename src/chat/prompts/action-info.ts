import type { EditorAction } from './editor-actions.ts';

/** Writes an answer over the block, next to it, as flashcards after it, or nowhere. */
export type TaskShape = 'edit' | 'insert' | 'cards' | 'answer';

interface ActionInfo {
  readonly shape: TaskShape;
  /** The slash command means the whole note: always, or in an empty block. Absent: never. */
  readonly wholeNote?: 'always' | 'in-empty-block';
  readonly instruction: string;
}

const INFO: Readonly<Record<EditorAction, ActionInfo>> = {
  summarize: {
    shape: 'insert',
    wholeNote: 'always',
    instruction:
      'Summarize the note in a few bullet points or one short paragraph. Keep names, numbers and dates. Add nothing that is not there.',
  },
  continue: {
    shape: 'insert',
    instruction:
      'Write what comes next after the last attached note, one short paragraph in its style. Do not repeat what is already there.',
  },
  rewrite: {
    shape: 'edit',
    instruction:
      'Rewrite the note so that it reads clearly and well. Keep its meaning, its facts, its length and its form (heading, list, table).',
  },
  translate: {
    shape: 'edit',
    instruction: 'Translate the note. Keep its form, names, links and code.',
  },
  todo: {
    shape: 'insert',
    wholeNote: 'in-empty-block',
    instruction: 'Turn the note into a task list: one line "- [ ] …" for each thing that is to be done, in order. Invent no tasks.',
  },
  cards: {
    shape: 'cards',
    wholeNote: 'in-empty-block',
    instruction:
      'Make flashcards of what the note says that is worth remembering for years: one fact each, at most 12, none that is said twice. Ask so that only one short answer is right, and name the subject in the question: a card is seen without its note. Take the answers from the note, in its words; invent nothing.',
  },
  explain: {
    shape: 'answer',
    wholeNote: 'in-empty-block',
    instruction:
      'Explain the note to somebody who meets the subject for the first time: what it says, and the terms that it uses. Be brief.',
  },
};

export const actionInfo = (action: EditorAction): ActionInfo => INFO[action];
