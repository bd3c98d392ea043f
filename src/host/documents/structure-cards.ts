import { DECKS_ATTRIBUTE, decksIn } from '../blocks/card-decks.ts';
import type { CardStep } from '../journal/structure-journal.ts';
import { readAttributes } from './structure-attributes.ts';
import { allowOnBlock, GONE, observed, type StepDeps, type StepKind } from './structure-kind.ts';

const sameDecks = (one: string | null, other: string | null): boolean =>
  [...decksIn(one)].sort().join() === [...decksIn(other)].sort().join();

/** Rejects with `not_found` where the block is gone. */
export async function decksOf(
  { routes }: Pick<StepDeps, 'routes'>,
  block: { readonly blockId: string; readonly documentId: string },
  signal: AbortSignal,
): Promise<string | null | undefined> {
  return (await readAttributes(routes, block, [DECKS_ATTRIBUTE], signal))?.[DECKS_ATTRIBUTE];
}

const words = (decks: string | null): string => (decks === null ? 'no flashcard' : 'flashcard');

/** A block that becomes a flashcard, or stops being one. The text is left as it is; SiYuan puts an attribute onto the block. */
export function createCardKind({ routes, structure, access }: StepDeps): StepKind<CardStep> {
  /** Leaves the block with the cards that it had in these decks, and no others. */
  const bring = async (step: CardStep, to: string | null, from: string | null): Promise<void> => {
    const [wanted, had] = [decksIn(to), decksIn(from)];
    for (const deck of had) if (!wanted.includes(deck)) await structure.removeCard(deck, step.blockId);
    for (const deck of wanted) if (!had.includes(deck)) await structure.addCard(deck, step.blockId);
  };
  return {
    allow: allowOnBlock({ routes, access }),
    observe: async (step, signal) => {
      const now = await decksOf({ routes }, step, signal);
      if (now === undefined) return GONE;
      return { at: observed(sameDecks(step.before, now), sameDecks(step.after, now)), now: words(now) };
    },
    run: async (step) => {
      await bring(step, step.after, step.before);
      return step;
    },
    revert: async (step, signal) => {
      await bring(step, step.before, (await decksOf({ routes }, step, signal)) ?? null);
      return [];
    },
    wordsBefore: (step) => words(step.before),
  };
}
