/**
 * The slash commands that change a block, in the order of the menus; their words are `slash_NAME`, `do_NAME` and `suggestion.*.NAME`. Values:
 * search words besides the name: Chinese, Pinyin, and another word if SiYuan's own entries would come first.
 */
const ACTIONS = {
  summarize: ['总结', 'zongjie'],
  continue: ['续写', 'xuxie'],
  rewrite: ['改写', 'gaixie'],
  translate: ['翻译', 'fanyi'],
  // "/todo" begins with SiYuan's task list.
  todo: ['todos', 'task', '待办', 'daiban'],
  cards: ['flashcards', '闪卡', 'shanka', '閃卡'],
  explain: ['解释', 'jieshi'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** `/ask` is not an action: it only opens the panel. */
export type EditorAction = keyof typeof ACTIONS;

export const ACTION_NAMES = Object.keys(ACTIONS) as readonly EditorAction[];

export const isEditorAction = (action: string): action is EditorAction => Object.hasOwn(ACTIONS, action);

export const actionWords = (action: EditorAction): readonly string[] => ACTIONS[action];

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
