import { expect, it } from 'vitest';
import { referenceParts, withoutFrames } from './reference-parts.ts';

const ID = '20261102000000-aaaaaaa';

it('has the words of references, rows and notes, and the ids that lead somewhere', () => {
  const text = `When in ((${ID} "Papers")) or ((${ID})): [${ID}] “Whales <sing>”: new, row ${ID} “Bees”: changed`;
  expect(referenceParts(text)).toEqual([
    { text: 'When in ' },
    { text: 'Papers', id: ID },
    { text: ' or ' },
    { text: '', id: ID },
    { text: ': ' },
    { text: '“Whales <sing>”', id: ID },
    { text: ': new, row ' },
    { text: '“Bees”', id: undefined },
    { text: ': changed' },
  ]);
  expect(referenceParts('No [reference] here')).toEqual([{ text: 'No [reference] here' }]);
});

it('loses the lines of frames, and no others', () => {
  expect(withoutFrames('a\n<untrusted-data tool="events">\n- b\n</untrusted-data>\nc <untrusted-data> d')).toBe(
    'a\n- b\nc <untrusted-data> d',
  );
});
