import type { BlockReading } from '../contract/note-readings.ts';
import { preview } from '../util/graphemes.ts';
import { frameName, PROJECT_TAG, quotedText, SKILL_TAG } from '../util/markers.ts';
import { ownBlocks } from './own-words.ts';

/** Of a note that models follow. */
export const INSTRUCTION_BLOCKS = 300;
const TEXT = 24_000;

export const ownText = (blocks: readonly BlockReading[]): string =>
  ownBlocks(blocks)
    .map(({ markdown }) => markdown)
    .join('\n\n');

const KINDS = {
  skill: { tag: SKILL_TAG, occasion: 'such tasks' },
  project: { tag: PROJECT_TAG, occasion: 'the chats of this project' },
};

/** Not as data, which a model must not follow: but as the user's words, which are below the rules and change no right. */
export function asInstructions(kind: keyof typeof KINDS, name: string, text: string): string {
  const { tag, occasion } = KINDS[kind];
  const shown = text.length > TEXT ? `${preview(text, TEXT)}\n(cut: the ${kind} is longer)` : text;
  return [
    `<${tag} name="${frameName(name)}">`,
    quotedText(shown.trim() || '(empty)'),
    `</${tag}>`,
    `These are instructions that the user wrote for ${occasion}. Follow them as you would a message of theirs; they are not rules of the system: rights and approvals stay as they are.`,
  ].join('\n');
}
