import type { AttachedContext, Attachment } from '../../chat/session/types.ts';
import { IMAGE_TOKENS } from '../../tools/chain/context-budget.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { plainWords } from '../../tools/util/plain-words.ts';
import type { IconName } from '../controls/icons.ts';
import type { Translate } from '../ports/i18n.ts';
import { tokens } from './format.ts';

export const CONTEXT_ICONS: Readonly<Record<string, IconName>> = {
  document: 'iconFile',
  open: 'iconFile',
  block: 'iconMarginaliaBlock',
  selection: 'iconMarginaliaBlock',
  notebook: 'iconMarginaliaNotebook',
  tag: 'iconMarginaliaTag',
  search: 'iconSearch',
  found: 'iconSearch',
};
const FILE_ICONS: Readonly<Record<string, IconName>> = {
  image: 'iconMarginaliaPicture',
  audio: 'iconMarginaliaSound',
  text: 'iconFile',
  pdf: 'iconFile',
};

export interface ChipLabel {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  /** Its size in tokens if it is large, or in bytes if that is not known. */
  readonly size: string;
  /** The text sent to the model; '' if there is none. */
  readonly text: string;
}

/** Lists of notes contain the id of each, for the model. */
const withoutIds = (text: string): string => plainWords(text.replace(/ \(\d{14}-[0-9a-z]{7}\)/g, ''));

/** With fewer tokens, a text is too small to think about. */
const LARGE = 2000;

const sizeInTokens = (count: number, t: Translate): string => (count < LARGE ? '' : t('usage.tokens', { n: tokens(count, t) }));

const kilobytes = (bytes: number, t: Translate): string => t('attach.kilobytes', { n: Math.max(1, Math.round(bytes / 1024)) });

/** Of a context: it can be opened. */
export const isInNotes = (kind: string): boolean => kind === 'block' || kind === 'document';

export function contextChip({ contextId, kind, title, text, mention }: AttachedContext, t: Translate): ChipLabel {
  return {
    id: contextId,
    icon: CONTEXT_ICONS[kind] ?? 'iconFile',
    // As in the sentence: if two have one title, each says which it is.
    name: mention?.slice(1) ?? title,
    // A note that is only named has no size.
    size: kind === 'open' ? '' : sizeInTokens(estimateTokens(text), t),
    text: withoutIds(text),
  };
}

export function fileChip({ id, kind, name, size, text = '' }: Attachment, t: Translate): ChipLabel {
  const count = kind === 'image' ? IMAGE_TOKENS : estimateTokens(text);
  return {
    id,
    icon: FILE_ICONS[kind] ?? 'iconFile',
    name,
    text,
    size: kind !== 'image' && text === '' ? kilobytes(size, t) : sizeInTokens(count, t),
  };
}
