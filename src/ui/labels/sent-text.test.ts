import { describe, expect, it } from 'vitest';
import { visibleText } from '../../tools/safe-content/unseen.ts';
import { hostOf, sizeLabel } from './sent-text.ts';

describe('what leaves the machine', () => {
  it('hides no character from the reader', () => {
    expect(visibleText('a\u200bb\u202ec\u0000d\u{e0041}e')).toBe('a⟨U+200B⟩b⟨U+202E⟩c⟨U+0000⟩d⟨U+E0041⟩e');
    // Names that a program may have, and nobody sees.
    expect(visibleText('a\u3164b\u{e0100}c\u2800d\re\u2028f')).toBe('a⟨U+3164⟩b⟨U+E0100⟩c⟨U+2800⟩d⟨U+000D⟩e⟨U+2028⟩f');
    expect(visibleText('❤️ 👩🏽‍💻')).toBe('❤️ 👩🏽‍💻');
    expect(visibleText('a1\ufe0f b\u200d😀')).toBe('a1⟨U+FE0F⟩ b⟨U+200D⟩😀');
    expect(visibleText('line\n\tnext\r\nlast 好 é')).toBe('line\n\tnext\r\nlast 好 é');
  });

  it('is measured as it is sent', () => {
    expect([sizeLabel('好'), sizeLabel('a'.repeat(1234)), sizeLabel('a'.repeat(2_500_000))]).toEqual(['3 B', '1.2 kB', '2.5 MB']);
  });

  it('names the host, with its port, whatever stands before it', () => {
    expect(hostOf('https://good.example@evil.example:8443/x')).toBe('evil.example:8443');
    expect(hostOf('nowhere')).toBe('nowhere');
  });
});
