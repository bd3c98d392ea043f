import { expect, it } from 'vitest';
import { decodedText, decodeText, statedText } from './decode-text.ts';

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

it.each([
  ['Größe: 5 EUR', 'windows-1252', 'R3L232U6IDUgRVVS'],
  ['日本語', 'shift_jis', 'k/qWe4zq'],
  ['中文', 'big5', 'pKSk5Q=='],
  ['Привет', 'windows-1251', 'z/Do4uXy'],
  ['今天下午三点开会', 'gb18030', 'vfHM7M/CzufI/bXjv6q74Q=='],
  ['发票金额：1250元', 'gb18030', 't6LGsb3wtu6jujEyNTDUqg=='],
  ['花园的围栏', 'gb18030', 'u6jUsLXEzqfAuA=='],
  ['花園的圍籬', 'big5', 'quG26aq6s/LGWA=='],
  ['今天下午三點開會', 'big5', 'pLWk0aRVpMikVMJJtn23fA=='],
  ['会議は午後三時です', 'shift_jis', 'ie+LY4LNjN+M445Pjp6CxYK3'],
  ['コンピュータの設定', 'shift_jis', 'g1KDk4Nzg4WBW4NegsyQ3ZLo'],
  ['안녕하세요 회의', 'euc-kr', 'vsiz58fPvLy/5CDIuMDH'],
  ['Счёт на оплату', 'windows-1251', '0fe48iDt4CDu7+vg8vM='],
  ['ДОГОВОР № 5', 'windows-1251', 'xM7DzsLO0CC5IDU='],
  ['Müller, Straße 5', 'windows-1252', 'TfxsbGVyLCBTdHJh32UgNQ=='],
  ['Café à 5 €', 'windows-1252', 'Q2Fm6SDgIDUggA=='],
  ['Niño: año', 'windows-1252', 'TmnxbzogYfFv'],
  ['Größe', 'windows-1252', 'R3L232U='],
])('reads %s as %s, and states the guess', (text, guessed, base64) => {
  const decoded = decodedText(bytesOf(base64));
  expect(decoded).toEqual({ text, guessed });
  expect(decodeText(bytesOf(base64))).toBe(text);
  expect(decoded && statedText(decoded)).toMatch(new RegExp(`^\\[.*read as ${guessed}.*\\]\n`));
});

it('states nothing of UTF-8 and of UTF-16 with its mark, and takes no program for text', () => {
  expect(decodedText(new TextEncoder().encode('Größe 中文'))).toEqual({ text: 'Größe 中文' });
  expect(decodedText(Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e))?.guessed).toBeUndefined();
  expect(decodedText(Uint8Array.of(0, 1, 2, 0xff, 0x80))).toBeNull();
});
