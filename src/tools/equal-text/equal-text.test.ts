import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areAlike, evenForm, evenText, findAlike, inOwnSigns, placesOf } from './equal-text.ts';

const SAME: readonly (readonly [string, string])[] = [
  ['Résumé', 'Résumé'],
  ['Résumé', 'Re\u0301sume\u0301'],
  ['ＡＢＣ９９', 'ABC99'],
  ['Zorblax™', 'ZorblaxTM'],
  ['80㎡', '80m2'],
  ['ﾃﾞｰﾀﾍﾞｰｽ', 'データベース'],
  ['oﬃce', 'office'],
  ['Ⅳ', 'IV'],
  ['한국어', '한국어'.normalize('NFD')],
  ['ệ', 'e\u0302\u0323'],
  ['ệ', 'e\u0323\u0302'],
  ['⼀⽇⻚⻛', '一日页风'],
  ['豈', '豈'],
  ['“it’s”', '"it\'s"'],
  ['a\u00a0b\u202fc\u3000d', 'a b c d'],
  ['co\u00adop\u200beration', 'cooperation'],
  ['well‑known', 'well-known'],
  ['ﻻ', 'لا'],
  ['Å', 'Å'],
  ['が', 'か\u3099'],
  ['İstanbul', 'istanbul'],
];
const BARE: readonly (readonly [string, string])[] = [
  ['Hoàn thiện tài liệu đào tạo', 'hoan thien tai lieu dao tao'],
  ['Łódź', 'lodz'],
  ['мёд', 'мед'],
  ['Diyarbakır', 'diyarbakir'],
  ['שָׁלוֹם', 'שלום'],
  ['Straße', 'strasse'],
  ['œuvre', 'oeuvre'],
  ['كِتَابٌ', 'كتاب'],
  ['أحمد', 'احمد'],
  ['Αθήνα', 'αθηνα'],
  ['Ångström', 'angstrom'],
];

describe('texts that readers hold for one', () => {
  it.each(SAME)('are %j and %j', (one, other) => {
    expect(areAlike(one, other)).toBe(true);
    expect(findAlike(`x ${one}, y`, other)).toEqual({ start: 2, end: 2 + one.length });
    expect(findAlike(`x ${other}, y`, one)).toEqual({ start: 2, end: 2 + other.length });
  });

  it.each(BARE)('are, for who types no accents, %j and %j', (one, other) => {
    expect(areAlike(one, other)).toBe(false);
    expect(findAlike(`x ${one}, y`, other)).toEqual({ start: 2, end: 2 + one.length });
    expect(findAlike(`x ${other}, y`, one)).toBeUndefined();
  });

  it.each([
    ['か', 'が'],
    ['日', '曰'],
    ['e', 'ø'],
  ])('are not %j and %j', (one, other) => {
    expect(findAlike(one, other)).toBeUndefined();
    expect(findAlike(other, one)).toBeUndefined();
  });

  it('property: every place is one of the text, in whole signs', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'aéßﬁ²ﾃﾞがe\u0301\u0323 “’​Ⅳ㎡한ㅎㅏ⼀ıİ'), maxLength: 12 });
    fc.assert(
      fc.property(signs, signs, (text, part) => {
        const even = evenText(text);
        expect([even.text.length, even.text.length]).toEqual([even.starts.length, even.ends.length]);
        for (const { start, end } of placesOf(even, evenForm(part))) expect(evenForm(text.slice(start, end))).toBe(evenForm(part));
        if (evenForm(text) !== '' && !/[\p{M}ﾞﾟ\u1100-\u11ff\u3131-\u318e]/u.test(text)) expect(findAlike(`${text}`, text)).toBeDefined();
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an edit', () => {
  it.each([
    ['He said “Résumé” twice', 'said "Résumé" twice', 'said "Résumé" once', 'He said “Résumé” once'],
    ['a\u00a0b – c', 'b - c', 'b - d', 'a\u00a0b – d'],
    ['the oﬃce is big', 'office is big', 'office is small', 'the oﬃce is small'],
    ['the oﬃce', 'office', 'officer', 'the oﬃcer'],
    ['Cafe\u0301 noir', 'Café noir', 'Café blanc', 'Cafe\u0301 blanc'],
    ['⼀⽇游', '一日游', '两日游', '两⽇游'],
    ['co\u00adoperation ended', 'cooperation ended', 'cooperation began', 'co\u00adoperation began'],
    ['E = mc²!', 'mc2', 'mc3', 'E = mc3!'],
  ])('of %j is in its own signs', (text, old, fresh, right) => {
    const edit = inOwnSigns(text, { old, new: fresh });
    expect(text.split(edit.old)).toHaveLength(2);
    expect(text.replace(edit.old, () => edit.new)).toBe(right);
  });

  it('stays as it is where its text is there, in several places, in another case, or with other accents', () => {
    for (const [text, old] of [
      ['a"b', 'a"b'],
      ['“x” “x”', '"x"'],
      ['“X”', '"x"'],
      ['résumé', 'resume'],
      ['ﬁn', 'in'],
    ] as const)
      expect(inOwnSigns(text, { old, new: 'n' })).toEqual({ old, new: 'n' });
  });
});
