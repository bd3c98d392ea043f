import { PANEL_COMMANDS } from '../ui/command-names.ts';

/**
 * All that the host lists under its keys, in this order; each is the key of its words. None comes with keys of its own: people
 * bind what they use, and nothing that SiYuan uses is taken.
 */
export const COMMANDS = ['openPanel', 'newChat', 'stopAnswer', ...PANEL_COMMANDS, 'toSuggestion'] as const;

export type CommandName = (typeof COMMANDS)[number];
