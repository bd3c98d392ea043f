import { describe, expect, it } from 'vitest';
import { type RankedText, withoutCopies } from './text-copies.ts';

const RULE = 'Put the rye starter into the fridge over night.';

/** A passage of the note of this name. */
function passage(note: string, body: string | undefined, score = 1, more: Partial<RankedText> & { type?: string } = {}): RankedText {
  const { type = 'p', ...rest } = more;
  const id = `${note} ${body}`;
  const match = { id, documentId: note, documentTitle: note, path: `/${note}`, notebook: 'n', type, snippet: body ?? '' };
  return { match, body, isSavedChat: false, score, updated: '', path: `/${note}`, id, ...rest };
}
const shown = (ranked: readonly RankedText[]): unknown[] =>
  withoutCopies(ranked).map(({ match }) => [match.documentId, ...(match.alsoIn ?? []).map(({ path }) => path)]);

describe('a text that is in several notes', () => {
  it('comes once, from the note with the fewest passages, with the others', () => {
    const all = [passage('Handbook', RULE), passage('Handbook', 'Something else on rye.', 0.4), passage('Starter', `- ${RULE}`)];
    expect(shown(all)).toEqual([['Starter', '/Handbook'], ['Handbook']]);
  });

  it('comes from the note where it answers best, such as by its title', () => {
    expect(shown([passage('Rye', RULE, 2), passage('Rye', 'More on rye and rye.', 0.5), passage('Old', RULE)])).toEqual([
      ['Rye', '/Old'],
      ['Rye'],
    ]);
  });

  it('is the same with another number of a footnote', () => {
    expect(shown([passage('A', `${RULE}[^7] And wait.`), passage('B', `${RULE}[^16] And wait.`)])).toEqual([['A', '/B']]);
  });

  it('comes from a note rather than from a chat that was saved as one', () => {
    expect(shown([passage('Chat', RULE, 2, { isSavedChat: true }), passage('B', RULE)])).toEqual([['B', '/Chat']]);
  });

  it('comes from the note that says it alone, where a longer text holds it', () => {
    const long = passage('Handbook', `Feed it twice. ${RULE} Then bake.`, 1.2);
    expect(shown([long, passage('Starter', RULE)])).toEqual([['Starter', '/Handbook']]);
    expect(shown([{ ...long, score: 3 }, passage('Starter', RULE)])).toEqual([['Handbook'], ['Starter']]);
  });

  it('takes the place of its best copy', () => {
    expect(
      shown([passage('Handbook', RULE, 2), passage('Other', 'Another text about starters.', 1.8), passage('Starter', RULE, 1)])[0],
    ).toEqual(['Handbook', '/Starter']);
  });
});

describe('what is no copy', () => {
  it.each([
    ['a short text', passage('A', 'Summary'), passage('B', 'Summary')],
    [
      'the title of another note',
      passage('A', 'Minutes of the meeting in May', 1, { type: 'd' }),
      passage('B', 'Minutes of the meeting in May', 1, { type: 'd' }),
    ],
    ['what is known by its meaning alone', passage('A', undefined), passage('B', undefined)],
    ['a text with another figure', passage('A', 'The rent is 900 euros a month.'), passage('B', 'The rent is 950 euros a month.')],
  ])('%s', (_what, one, other) => {
    expect(shown([one, other])).toEqual([['A'], ['B']]);
  });

  it('copies within one note name no other', () => {
    expect(shown([passage('A', RULE), passage('A', `* ${RULE}`)])).toEqual([['A']]);
  });
});
