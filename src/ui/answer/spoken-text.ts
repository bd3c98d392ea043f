import type { MessageView } from '../../chat/view/view.ts';
import { renderedText, said } from '../find/message-texts.ts';
import { textRuns } from '../find/text-runs.ts';
import { blockHtml } from '../markdown/blocks.ts';
import { escapeHtml } from '../markdown/escape.ts';
import { renderWords } from '../markdown/render-labels.ts';
import type { Translate } from '../ports/i18n.ts';

const ADDRESS = /\bhttps?:\/\/(?:www\.)?([^\s/?#:,]+)(?:\S*[^\s.,;:!?)\]])?/giu;
/** SiYuan's ids, alone or as a reference. */
const ID = /\(\((\d{14}-\w{7})[^)]*\)\)|\(?\b\d{14}-[0-9a-z]{7}\b\)?/gu;

/** The spoken text of an answer: its text as shown, with a word for code, and addresses as the name of their server. */
export function spokenText(message: MessageView, t: Translate): string {
  const options = { citation: () => 'verified' as const, words: renderWords(t) };
  const code = `<p>${escapeHtml(t('aloud.code'))}</p>`;
  const texts = said(message).flatMap((markdown) =>
    textRuns(renderedText(markdown, options, (block) => (block.kind === 'code' ? code : blockHtml(block)))),
  );
  return texts
    .map(({ text }) => text.replace(ADDRESS, '$1').replace(ID, '').replace(/ {2,}/g, ' ').trim())
    .filter((text) => text !== '')
    .join('\n\n');
}
