import type { AnswerSegment } from '../../chat/view/view.ts';

/** What was done between two texts. */
export type WorkStep = Exclude<AnswerSegment, { readonly kind: 'text' }>;

/** An answer as it is read: texts, and between them runs of what was done. */
export type AnswerPart =
  /** `key`: the place of its first segment, which stays while an answer grows. */
  | { readonly kind: 'text'; readonly key: number; readonly text: string }
  | { readonly kind: 'work'; readonly key: number; readonly steps: readonly WorkStep[]; readonly after: readonly AnswerSegment[] };

/** Which of the runs that fold to the same words it is, counted from 1. */
export interface NthOfEqual {
  readonly nth: number;
  readonly total: number;
}

/** A long text says something: looking at all of it with each word that arrives would cost as much as showing it. */
export const says = (text: string): boolean => text.length > 200 || text.trim() !== '';

/** In the order in which it happened; a text of nothing but spaces does not part a run in two. */
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
  // What a later try made good is looked for behind the run.
  return parts.map((part) => (part.kind === 'work' ? { ...part, after: segments.slice(part.key + part.steps.length) } : part));
}
