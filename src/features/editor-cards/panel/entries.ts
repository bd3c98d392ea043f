import type { EditorFeature } from '../../../app/editor/editor-feature.ts';
import { readPrompts } from '../../../chat/prompts/custom-prompts.ts';
import { ACTION_NAMES, actionWords, DATABASE_ACTION_NAMES, databaseActionWords } from '../../../chat/prompts/editor-actions.ts';

const WORDS = [
  ...ACTION_NAMES.map((action) => [action, ...actionWords(action)] as const),
  ...DATABASE_ACTION_NAMES.map((action) => [action, ...databaseActionWords(action)] as const),
];

/** Slash commands and menus: what is done with a block or a note, and the user's own prompts. */
export const entries: EditorFeature = {
  slash: (text, { prompts }) => [
    ...WORDS.map(([action, ...words]) => ({
      action,
      // Its name in the language of the interface finds it as well.
      words: [action, ...words, text(`do_${action}`)],
      label: text(`slash_${action}`),
    })),
    ...readPrompts(prompts).map(({ id, name }) => ({ action: `prompt:${id}`, words: [name, id], label: name })),
  ],
  submenu({ kind }, text, { prompts }) {
    const own = readPrompts(prompts).map(({ id, name }) => ({ action: `prompt:${id}`, label: name }));
    // Commands for databases are about a whole note.
    const names = [...ACTION_NAMES, ...(kind === 'document' ? DATABASE_ACTION_NAMES : [])];
    const named = names.map((action) => ({ action, label: text(`do_${action}`) }));
    return own.length > 0 ? [...named, { label: '' }, ...own] : named;
  },
};
