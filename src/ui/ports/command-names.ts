/** What the panel does by key, wherever the focus is; each name is also the key of its words. */
export const PANEL_COMMANDS = [
  'approve',
  'reject',
  'nextMessage',
  'previousMessage',
  'nextCitation',
  'previousCitation',
  'nextBranch',
  'previousBranch',
  'undoChange',
  'redoChange',
  'findInChat',
] as const;

export type PanelCommand = (typeof PANEL_COMMANDS)[number];

export const isPanelCommand = (name: string): name is PanelCommand => PANEL_COMMANDS.some((each) => each === name);
