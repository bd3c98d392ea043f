import { describe, expect, it } from 'vitest';
import { maskText } from './mask-text.ts';
import { PRIVACY_PRESETS } from './privacy-presets.ts';

const masked = (preset: keyof typeof PRIVACY_PRESETS, text: string): Promise<string> =>
  maskText({ enabled: true, fields: [{ match: PRIVACY_PRESETS[preset], label: preset }] }, text);

const PRIVATE = {
  email: ['ann@a.example', 'Ann.B+notes@mail.a-b.example', 'x_y%z@a.co.example'],
  phone: ['+49 30 1234567', '+1 (555) 010-9999', '0044 20 7946 0958', '(555) 010-9999', '555-010-9999', '13812345678', '+86 138 1234 5678'],
  card: ['4111 1111 1111 1111', '4111-1111-1111-1111', '4111111111111111', '3782 822463 10005', '378282246310005'],
  iban: ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000', 'GB82 WEST 1234 5698 7654 32', 'NO9386011117947'],
  key: [
    'sk-proj-abcdefghijklmnop1234',
    'ghp_abcdefghijklmnopqrstuvwxyz123456',
    'AKIAABCDEFGHIJKLMNOP',
    'xoxb-1234567890-abcdef',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmnop',
  ],
} as const;
/** Dates, ids of blocks, times and sums stay. */
const PUBLIC = [
  '2026-04-12',
  '20260412093011-abc1234',
  '10:30',
  '1 000 000',
  'room 12-34',
  '3.14159',
  'a @ b',
  'KB1234',
  'risk-free planning of notes',
];

describe('the presets of private text', () => {
  it.each(Object.entries(PRIVATE))('mask each %s whole, also in a sentence of Chinese', async (preset, texts) => {
    for (const text of texts) {
      for (const sentence of [`Ask ${text} now.`, `（${text}）`, text]) {
        const shown = await masked(preset as keyof typeof PRIVATE, sentence);
        expect(shown).not.toContain(text.slice(1, -1));
        expect(shown).not.toMatch(/\d{4}/);
      }
    }
  });

  it.each(Object.keys(PRIVATE))('leave what only looks like a %s a little', async (preset) => {
    for (const text of PUBLIC) expect(await masked(preset as keyof typeof PRIVATE, text)).toBe(text);
  });
});
