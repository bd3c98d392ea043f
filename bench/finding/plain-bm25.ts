/** The textbook's, with no more knowledge of language than where words end; characters and pairs where words are not set apart. */
const K1 = 1.2;
const B = 0.75;
const RUNS = /[\p{Script=Han}]+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

const tokensOf = (text: string): readonly string[] =>
  [...text.toLowerCase().matchAll(RUNS)].flatMap(([run]) => {
    const characters = [...run];
    if (!/\p{Script=Han}/u.test(run) || characters.length === 1) return [run];
    return characters.slice(0, -1).map((character, index) => character + characters[index + 1]);
  });

/** Ranks all texts for a question: their indexes, best first. */
export function plainBm25(texts: readonly string[]): (question: string) => readonly number[] {
  const counts = texts.map((text) => {
    const tokens = tokensOf(text);
    const count = new Map<string, number>();
    for (const token of tokens) count.set(token, (count.get(token) ?? 0) + 1);
    return { count, length: tokens.length };
  });
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  const holding = new Map<string, number>();
  for (const { count } of counts) for (const token of count.keys()) holding.set(token, (holding.get(token) ?? 0) + 1);
  const weightOf = (token: string): number => {
    const having = holding.get(token) ?? 0;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  };
  return (question) => {
    const asked = [...new Set(tokensOf(question))].map((token) => ({ token, weight: weightOf(token) }));
    const scores = counts.map(({ count, length }, index) => {
      const room = K1 * (1 - B + (B * length) / average);
      const score = asked.reduce((sum, { token, weight }) => {
        const often = count.get(token) ?? 0;
        return sum + (weight * often * (K1 + 1)) / (often + room);
      }, 0);
      return { score, index };
    });
    return scores.sort((one, other) => other.score - one.score).map(({ index }) => index);
  };
}
