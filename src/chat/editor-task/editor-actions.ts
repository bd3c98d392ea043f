/** Writes an answer over the block, next to it, as flashcards after it, or nowhere. */
export type TaskShape = 'edit' | 'insert' | 'cards' | 'answer';

interface ActionInfo {
  /** Search words in the slash menu besides its name: Chinese, Pinyin, and another word if SiYuan's own entries would come first. */
  readonly searchWords: readonly string[];
  readonly shape: TaskShape;
  /** The slash command means the whole note: always, or in an empty block. Absent: never. */
  readonly wholeNote?: 'always' | 'in-empty-block';
  readonly instruction: string;
}

/** The slash commands that change a block, in the order of the menus; their words are `slash_NAME`, `do_NAME` and `suggestion.*.NAME`. */
const ACTIONS = {
  summarize: {
    searchWords: ['总结', 'zongjie'],
    shape: 'insert',
    wholeNote: 'always',
    instruction:
      'Summarize the note in a few bullet points or one short paragraph. Keep names, numbers and dates. Add nothing that is not there.',
  },
  continue: {
    searchWords: ['续写', 'xuxie'],
    shape: 'insert',
    instruction:
      'Write what comes next after the last attached note, one short paragraph in its style. Do not repeat what is already there.',
  },
  rewrite: {
    searchWords: ['改写', 'gaixie'],
    shape: 'edit',
    instruction:
      'Rewrite the note so that it reads clearly and well. Keep its meaning, its facts, its length and its form (heading, list, table).',
  },
  translate: {
    searchWords: ['翻译', 'fanyi'],
    shape: 'edit',
    instruction: 'Translate the note. Keep its form, names, links and code.',
  },
  todo: {
    // "/todo" begins with SiYuan's task list.
    searchWords: ['todos', 'task', '待办', 'daiban'],
    shape: 'insert',
    wholeNote: 'in-empty-block',
    instruction: 'Turn the note into a task list: one line "- [ ] …" for each thing that is to be done, in order. Invent no tasks.',
  },
  cards: {
    searchWords: ['flashcards', '闪卡', 'shanka', '閃卡'],
    shape: 'cards',
    wholeNote: 'in-empty-block',
    instruction:
      'Make flashcards of what the note says that is worth remembering for years: one fact each, at most 12, none that is said twice. Ask so that only one short answer is right, and name the subject in the question: a card is seen without its note. Take the answers from the note, in its words; invent nothing.',
  },
  explain: {
    searchWords: ['解释', 'jieshi'],
    shape: 'answer',
    wholeNote: 'in-empty-block',
    instruction:
      'Explain the note to somebody who meets the subject for the first time: what it says, and the terms that it uses. Be brief.',
  },
} as const satisfies Readonly<Record<string, ActionInfo>>;

/** `/ask` is not an action: it only opens the panel. */
export type EditorAction = keyof typeof ACTIONS;

export const ACTION_NAMES = Object.keys(ACTIONS) as readonly EditorAction[];

export const actionInfo = (action: EditorAction): ActionInfo => ACTIONS[action];

/** Slash commands asked in the panel with tools for databases, by the prompts `prompts.NAME.text`. Values: search words. */
const DATABASE_ACTIONS = {
  file: ['filing', '归入', 'guiru', '歸入'],
  // "/table" begins with SiYuan's table.
  table: ['notestable', '汇总', 'huizong', '彙總'],
  overdue: ['逾期', 'yuqi'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type DatabaseAction = keyof typeof DATABASE_ACTIONS;

export const DATABASE_ACTION_NAMES = Object.keys(DATABASE_ACTIONS) as readonly DatabaseAction[];

export const databaseActionWords = (action: DatabaseAction): readonly string[] => DATABASE_ACTIONS[action];

export const isDatabaseAction = (action: string): action is DatabaseAction => Object.hasOwn(DATABASE_ACTIONS, action);
