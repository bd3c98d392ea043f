import { describe, expect, it } from 'vitest';
import { closeFence, joinTexts } from './visible-text.ts';

describe('The texts of an answer as one', () => {
  it('closes a fence that one of them leaves open, so that the next is no code', () => {
    expect(joinTexts(['The query:\n\n```sql\nSELECT 1', '## Result'])).toBe('The query:\n\n```sql\nSELECT 1\n```\n\n## Result');
    expect(joinTexts(['~~~~\n```\n~~~', 'b'])).toBe('~~~~\n```\n~~~\n~~~~\n\nb');
  });

  it.each(['```js\na\n```', '`````\n```\n`````   ', 'a `b` c', '``` not a fence ` here', '    ```\n    indented', ''])(
    'leaves %j as it is',
    (text) => {
      expect(closeFence(text)).toBe(text);
    },
  );

  it('leaves out what is empty', () => {
    expect(joinTexts(['', 'a', ' \n', 'b'])).toBe('a\n\nb');
    expect(joinTexts([])).toBe('');
  });
});
