import type { Unit } from './tool-results.ts';

/** A sentence that is in a note, with the block that it came from. */
export interface Sentence {
  readonly text: string;
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

/** Markdown to plain words: nothing is added, only marks are taken away. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll('\u200b', '')
    .replaceAll(/\{:[^}\n]*\}/g, '')
    .replaceAll(/<\/?[a-z][^>\n]*>/gi, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\(\(\d{14}-[0-9a-z]{7}\s+["']([^"'\n]*)["']\)\)/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/(\*\*|==|~~|__)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*([^*\n]+)\*(?![\w*])/g, '$1')
    .replaceAll(/`([^`\n]+)`/g, '$1')
    .replaceAll(/(?:\s*#[\p{L}\d/_-]+#)+\s*$/gmu, '')
    .replaceAll(/#([\p{L}\d/_-]+)#/gu, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[。！？])|(?<=[.!?]["”')]?)\s+(?=["“(*]*[\p{Lu}\d])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Lines that stand for themselves in a list, a quote or a text; tables, code, formulas and headings give none. */
export function sentencesOf(unit: Unit): string[] {
  if (/^(?:h\d?|t|tb|c|m|d|html|iframe|av|widget|query_embed)$/.test(unit.type)) return [];
  const paragraphs: string[] = [];
  let joining = false;
  for (const raw of unit.markdown
    .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .replaceAll(/\$\$[\s\S]*?\$\$/g, '')
    .split('\n')) {
    const marked = /^\s*(?:>\s*)*(?:[-*+]\s+(?:\[.\]\s*)?|\d+[.)]\s+|>\s*)/.exec(raw);
    const line = raw.slice(marked?.[0].length ?? 0).trim();
    const skip = line === '' || /^(?:\{\{\{|\}\}\}|\||#{1,6}\s|\{:)/.test(line);
    if (skip) {
      joining = false;
    } else if (joining && !marked) {
      paragraphs.push(`${paragraphs.pop() ?? ''} ${line}`);
    } else {
      paragraphs.push(line);
      joining = true;
    }
  }
  return paragraphs.flatMap((paragraph) => splitSentences(plainText(paragraph)));
}

const stopWords = new Set('a an and are about for from how in is it my of on or our the their to was what with'.split(' '));

/** Words to look for; a Chinese topic without spaces is one word. */
export function topicTerms(topic: string): string[] {
  const words = topic.toLowerCase().split(/[\s,，、/]+/u);
  return words.map((word) => word.replaceAll(/^["'《“(]+|["'》”)?.]+$/g, '')).filter((word) => word !== '' && !stopWords.has(word));
}

function stem(word: string): string {
  return /^[a-z]{4,}$/.test(word) ? word.replace(/(?:ies|es|s|ed|ing)$/, '') : word;
}

/** 1 for the whole topic, a share for some of its words, 0 for nothing. Pairs of characters count in Chinese words. */
export function mentions(text: string, topic: string): number {
  const lower = text.toLowerCase();
  const terms = topicTerms(topic);
  if (terms.length === 0) return 0;
  if (lower.includes(topic.toLowerCase().trim())) return 1;
  const shares = terms.map((term): number => {
    if (lower.includes(stem(term))) return 1;
    if (!/\p{Script=Han}/u.test(term) || term.length < 3) return 0;
    const pairs = Array.from({ length: term.length - 1 }, (_, index) => term.slice(index, index + 2));
    const share = pairs.filter((pair) => lower.includes(pair)).length / pairs.length;
    return share >= 0.6 ? share : 0;
  });
  return (0.7 * shares.reduce((sum, share) => sum + share, 0)) / terms.length;
}

function weigh(text: string, topic: string, type: string): number {
  const mention = mentions(text, topic);
  if (mention < 0.4) return 0;
  const lengthInWords = /\p{Script=Han}/u.test(text) ? text.length / 2 : text.split(' ').length;
  let score = 3 * mention;
  if (/\d/.test(text)) score += 0.8;
  if (text.toLowerCase().startsWith(topic.toLowerCase())) score += 0.6;
  if (lengthInWords < 5) score -= 1;
  if (lengthInWords > 60) score -= 1;
  if (/[?？]$/.test(text)) score -= 1;
  // Pointers to other notes, and running text that goes on in a formula or a table, say little by themselves.
  if (/^(?:see|background|cf\.|vgl\.|见|参见)(?![\p{Script=Latin}])/iu.test(text)) score -= 1.5;
  const unfinished = /^[p?]$/.test(type) && !/[.!?。！？…:："”』」)）]$/.test(text);
  // A snippet may be a whole table on one line.
  if (unfinished) score -= [...text].length <= 40 ? 0.8 : type === '?' ? 2.6 : 1.6;
  return score;
}

/** The same block may come from a search (cut) and from reading (whole): the longer text wins. */
export function mergeUnits(units: readonly Unit[]): Unit[] {
  const byId = new Map<string, Unit>();
  for (const unit of units) {
    const known = byId.get(unit.id);
    const title = unit.title || known?.title || '';
    if (!known || unit.markdown.length > known.markdown.length) byId.set(unit.id, { ...unit, title });
  }
  return [...byId.values()];
}

export interface ExtractLimits {
  readonly total: number;
  readonly perDocument: number;
}

/** Below this number, documents that are called like the topic may add sentences that do not name it. */
const fewSentences = 4;

function fromNamesakes(units: readonly Unit[], topic: string, chosen: readonly Sentence[]): Sentence[] {
  const namesakes = mergeUnits(units).filter((unit) => unit.type !== '?' && mentions(unit.title, topic) >= 0.7);
  const fresh = outlineSentences(namesakes, fewSentences).filter((sentence) => chosen.every((known) => known.text !== sentence.text));
  return fresh.slice(0, fewSentences - chosen.length);
}

/**
 * Sentences that mention the topic, best first within the limits, then grouped by document in the order of their best; where
 * they are few, the strongest of documents whose title names the topic too.
 * Every id is the id of a unit; a sentence is never changed but for its Markdown marks.
 */
export function extract(units: readonly Unit[], topic: string, limits: ExtractLimits): Sentence[] {
  const seen = new Set<string>();
  const all = mergeUnits(units)
    .flatMap((unit) => sentencesOf(unit).map((text) => ({ text, id: unit.id, title: unit.title, score: weigh(text, topic, unit.type) })))
    .filter((sentence) => sentence.score > 0)
    .sort((left, right) => right.score - left.score)
    .filter((sentence) => {
      const key = sentence.text
        .toLowerCase()
        .replaceAll(/[^\p{L}\d]/gu, '')
        .slice(0, 60);
      return seen.has(key) ? false : seen.add(key) !== undefined;
    });
  // Cut ends of snippets only stand in where whole sentences are few.
  const whole = all.filter((sentence) => !/^(?:…|\.\.\.)|(?:…|\.\.\.)$/.test(sentence.text));
  const strong = whole.filter((sentence) => sentence.score >= 1.7);
  const usable = [strong, whole].find((list) => list.length >= 3) ?? all;
  const perDocument = new Map<string, Sentence[]>();
  let count = 0;
  for (const sentence of usable) {
    const key = sentence.title || sentence.id;
    const list = perDocument.get(key) ?? [];
    if (count === limits.total) break;
    if (list.length === limits.perDocument) continue;
    perDocument.set(key, [...list, sentence]);
    count += 1;
  }
  const chosen = [...perDocument.values()].flat();
  return chosen.length >= fewSentences ? chosen : [...chosen, ...fromNamesakes(units, topic, chosen)];
}

function weighForOutline(text: string, unit: Unit, position: number): number {
  const words = /\p{Script=Han}/u.test(text) ? text.length / 2 : text.split(' ').length;
  const fitting = words >= 7 && words <= 50 ? 1 : 0;
  return (/\d/.test(text) ? 1 : 0) + (unit.type === 'p' ? 1 : 0) + fitting - position * 0.2 - (/[?？]$/.test(text) ? 2 : 0);
}

/** Sentences of a document by section; a section begins with a heading. */
function sectionsOf(units: readonly Unit[]): Sentence[][] {
  const sections: Sentence[][] = [[]];
  for (const unit of units) {
    if (/^h\d?$/.test(unit.type)) sections.push([]);
    const sentences = sentencesOf(unit).map((text, position) => ({
      text,
      id: unit.id,
      title: unit.title,
      score: weighForOutline(text, unit, position),
    }));
    sections.at(-1)?.push(...sentences);
  }
  // Bare words of a list say nothing without their neighbours; they stay only where there is nothing else.
  const telling = sections.map((section) => section.filter((sentence) => sentence.score > 0)).filter((section) => section.length > 0);
  return telling.length > 0 ? telling : sections.filter((section) => section.length > 0);
}

function strongest(sentences: readonly Sentence[], count: number): Sentence[] {
  const kept = new Set([...sentences].sort((left, right) => right.score - left.score).slice(0, count));
  return sentences.filter((sentence) => kept.has(sentence));
}

/** A document in a few lines: the strongest sentences below each heading (two where there are few headings), in its order. */
export function outlineSentences(units: readonly Unit[], limit: number): Sentence[] {
  const sections = sectionsOf(units);
  const chosen = sections.flatMap((section) => strongest(section, sections.length <= limit / 2 ? 2 : 1));
  const [lead, ...rest] = chosen;
  return lead === undefined ? [] : [lead, ...strongest(rest, limit - 1)];
}

/** `((id "anchor"))`; an anchor cannot hold the signs that would end it. */
export function citation(sentence: { readonly id: string; readonly title: string; readonly text: string }): string {
  const name = (sentence.title || [...sentence.text].slice(0, 24).join(''))
    .replaceAll(/["\n()[\]{}]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `((${sentence.id} "${name || 'block'}"))`;
}
