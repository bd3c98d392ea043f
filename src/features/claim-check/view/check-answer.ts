import { citedSentence } from '../../../ui/find/cited-sentence.ts';
import type { BlockPreview } from '../../../ui/ports/host-ui.ts';
import { type Doubt, doubtOf } from '../claim-facts.ts';

/** Sentences to which nothing was found in their blocks, by the number of their citation. */
export interface DoubtfulClaim extends Doubt {
  readonly numbers: string;
  readonly sentence: string;
  readonly blocks: readonly string[];
  /** The text of the blocks. */
  readonly source: string;
  readonly links: readonly HTMLElement[];
}

const sourceOf = ({ title, place, markdown }: BlockPreview): string => [title, place, markdown].join('\n');

/** The citations of one answer that support the same sentence together. */
function sentencesOf(answer: Element): ReadonlyMap<string, readonly HTMLElement[]> {
  const sentences = new Map<string, HTMLElement[]>();
  for (const link of answer.querySelectorAll<HTMLElement>('a.mg-cite[data-n]')) {
    const sentence = citedSentence(link)?.toString().trim() ?? '';
    if (sentence !== '') sentences.set(sentence, [...(sentences.get(sentence) ?? []), link]);
  }
  return sentences;
}

/** Without the words of its citations, which are titles of notes. */
const withoutWords = (sentence: string, links: readonly HTMLElement[]): string =>
  links.reduce((text, { dataset: { words = '' } }) => (words === '' ? text : text.replace(words, ' ')), sentence);

/**
 * Compares each cited sentence of an answer with its blocks, as they are now.
 * @param read gives a block as the person sees it; null if it is gone or cannot be read
 * @param question may name what the answer is about
 */
export async function checkAnswer(
  answer: Element,
  read: (id: string) => Promise<BlockPreview | null>,
  question: string,
): Promise<readonly DoubtfulClaim[]> {
  const sentences = sentencesOf(answer);
  const texts = new Map<string, string | undefined>();
  for (const id of new Set([...sentences.values()].flat().map(({ dataset }) => dataset.blockId ?? ''))) {
    const found = await read(id);
    texts.set(id, found ? sourceOf(found) : undefined);
  }
  const around = [question, ...texts.values()].join('\n');
  return [...sentences].flatMap(([sentence, links]) => {
    const sources = links.map(({ dataset }) => texts.get(dataset.blockId ?? ''));
    // Of a page of a PDF the block says nothing.
    if (sources.includes(undefined) || links.some(({ dataset }) => dataset.page)) return [];
    const [claim, source] = [withoutWords(sentence, links), sources.join('\n')];
    const doubt = doubtOf(claim, source, around);
    const numbers = [...new Set(links.map(({ dataset }) => dataset.n ?? ''))].join(', ');
    const blocks = [...new Set(links.flatMap(({ dataset }) => dataset.blockId ?? []))];
    return doubt ? [{ ...doubt, numbers, sentence: claim.replaceAll(/\s+/gu, ' ').trim(), blocks, source, links }] : [];
  });
}
