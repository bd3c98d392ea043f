import { checkCitations } from '../../chat/session/citations.ts';
import type { AnswerSegment } from '../../chat/view/view.ts';

export type WorkStep = Exclude<AnswerSegment, { readonly kind: 'text' }>;

/** An answer for the reader: texts, and between them runs of calls. */
export type AnswerPart =
  /** `key`: the index of its first segment, which is stable while an answer grows. */
  | { readonly kind: 'text'; readonly key: number; readonly text: string }
  | { readonly kind: 'work'; readonly key: number; readonly steps: readonly WorkStep[]; readonly after: readonly AnswerSegment[] };

/** Its number among runs that fold to the same text, counted from 1. */
export interface NthOfEqual {
  readonly nth: number;
  readonly total: number;
}

/** A long text is not blank: testing all of it with each new word would cost as much as showing it. */
export const says = (text: string): boolean => text.length > 200 || text.trim() !== '';

/** In order; a blank text does not split a run. */
export function answerParts(segments: readonly AnswerSegment[]): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  let run: WorkStep[] = [];
  for (const [key, segment] of segments.entries()) {
    if (segment.kind === 'text') {
      if (!says(segment.text)) continue;
      parts.push({ kind: 'text', key, text: segment.text });
    } else if (parts.at(-1)?.kind === 'work') run.push(segment);
    else {
      run = [segment];
      parts.push({ kind: 'work', key, steps: run, after: [] });
    }
  }
  // Successful retries are searched after the run.
  return parts.map((part) => (part.kind === 'work' ? { ...part, after: segments.slice(part.key + part.steps.length) } : part));
}

/** What the texts cite of these, each once, in the order in which it is seen first: its place is its number. */
export function citedIn(parts: readonly AnswerPart[], citations: readonly string[]): readonly string[] {
  const known = new Set(citations);
  return [...new Set(parts.flatMap((part) => (part.kind === 'text' ? checkCitations(part.text, known).cited : [])))];
}
