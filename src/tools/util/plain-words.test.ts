import { expect, it } from 'vitest';
import { plainWords } from './plain-words.ts';

it('shows the words of a text, never its Markdown', () => {
  const said = {
    '## Packing\n\n- [ ] **tickets** and `charger`': 'Packing\n\ntickets and charger',
    'see ((20260110180000-home000 "Home")) or ((20260110180000-home000))': 'see Home or ',
    "see ((20260110180000-home000 'Home'))": 'see Home',
    '| Who | Bag |\n| --- | ---: |\n| Jonas | 8 kg |': 'Who Bag\n\nJonas 8 kg',
    'see ((20260110180000-home000 "He said \\"no\\""))': 'see He said "no"',
    'a #recipe# of ==mine==': 'a recipe of mine',
    'a word\n{: id="20260110180000-home000" updated="1"}': 'a word',
    'buy #recipe# and see ((20260110180000-home000 "Sourd': 'buy recipe and see Sourd',
    '$$\na^2 + b^2\n$$': 'a^2 + b^2',
    'an *old* [paper](https://example.org) and 3 * 4 * 5': 'an old paper and 3 * 4 * 5',
  };
  for (const [markdown, words] of Object.entries(said)) expect(plainWords(markdown).replace(/ +/g, ' ')).toBe(words.trimEnd());
});
