import { PANEL_COMMANDS } from '../ui/ports/command-names.ts';

/**
 * All commands that the host lists under its keys, in this order; each is the key of its texts. People bind what they use, and no
 * key that SiYuan 3.7.3 uses is taken.
 */
export const COMMANDS = ['openPanel', 'newChat', 'stopAnswer', ...PANEL_COMMANDS, 'openTester', 'toSuggestion', 'whoWrote'] as const;

/** The only one with a default key: a suggestion is next to the text, where Tab does not lead. */
export const DEFAULT_KEYS: Partial<Record<CommandName, string>> = { toSuggestion: '⌥J' };

export type CommandName = (typeof COMMANDS)[number];
