import { PANEL_COMMANDS } from '../ui/ports/command-names.ts';

/**
 * All that the host lists under its keys, in this order; each is the key of its words. People bind what they use, and nothing that
 * SiYuan 3.7.3 uses is taken.
 */
export const COMMANDS = ['openPanel', 'newChat', 'stopAnswer', ...PANEL_COMMANDS, 'openTester', 'toSuggestion'] as const;

/** The one that comes with a key of its own: a suggestion stands beside the text, where Tab does not lead. */
export const DEFAULT_KEYS: Partial<Record<CommandName, string>> = { toSuggestion: '⌥J' };

export type CommandName = (typeof COMMANDS)[number];
