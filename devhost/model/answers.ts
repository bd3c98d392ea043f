import { citation, type Sentence } from './extract.ts';
import type { Phrases } from './phrases.ts';

export function citedBullets(sentences: readonly Sentence[]): string {
  return sentences.map((sentence) => `- ${sentence.text} ${citation(sentence)}`).join('\n');
}

/** Bullets with a citation each, below a line for each document. */
export function citedList(sentences: readonly Sentence[]): string {
  const groups = new Map<string, Sentence[]>();
  for (const sentence of sentences) groups.set(sentence.title, [...(groups.get(sentence.title) ?? []), sentence]);
  return [...groups]
    .map(([title, group]) => {
      const bullets = citedBullets(group);
      return title === '' ? bullets : `**${title}**\n\n${bullets}`;
    })
    .join('\n\n');
}

/** What is written into a note: a heading and one flat list, so that two blocks are inserted. */
export function summaryMarkdown(say: Phrases, topic: string, sentences: readonly Sentence[]): string {
  return `${say.heading(topic)}\n\n${citedBullets(sentences)}`;
}

export function joinParts(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}
