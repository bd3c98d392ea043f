import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import type { SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { evenForm, findAlike } from '../../src/tools/equal-text/equal-text.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

let count = 0;
const documents = new Map<string, string>();
const note = async (text: string): Promise<string> => {
  const document = await bench.document(`/Alike/N${++count}`, 'other words');
  const [block = ''] = await bench.blocks(document);
  // As it is: the way by Markdown may change signs.
  const dom = (await bench.dom(block)).replace('other words', () => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  await bench.transact([{ action: 'update', id: block, data: dom }]);
  documents.set(block, document);
  return block;
};

const found = async (query: string, mode: SearchQuery['mode'] = 'relevance'): Promise<readonly string[]> => {
  const page = await bench.host.notes.search({ query, mode, page: 1, pageSize: 50 }, signal);
  return page.matches.map(({ id }) => id);
};

/** Of public reports, and more of their kinds. */
const DOCS: readonly (readonly [string, string])[] = [
  ['Das Résumé ist fertig.', 'Résumé'],
  ['Das Re\u0301sume\u0301 ist fertig.', 'Résumé'],
  ['Das Résumé ist fertig.', 'Re\u0301sume\u0301'],
  ['型番はＡＢＣ９９です', 'ＡＢＣ９９'],
  ['型番はＡＢＣ９９です', 'abc99'],
  ['型番はABC99です', 'ＡＢＣ９９'],
  ['the Zorblax™ device', 'Zorblax™'],
  ['the Zorblax™ device', 'zorblaxtm'],
  ['E = mc² formula', 'mc²'],
  ['E = mc² formula', 'mc2'],
  ['ﾃﾞｰﾀﾍﾞｰｽの設計', 'ﾃﾞｰﾀﾍﾞｰｽ'],
  ['ﾃﾞｰﾀﾍﾞｰｽの設計', 'データベース'],
  ['データベースの設計', 'ﾃﾞｰﾀﾍﾞｰｽ'],
  ['第Ⅳ章 总结', 'Ⅳ'],
  ['Die Wohnung hat 80㎡.', '80㎡'],
  ['Die Wohnung hat 80㎡.', '80m2'],
  ['the oﬃce door', 'office'],
  ['the office door', 'oﬃce'],
  ['한국어 문서', '한국어'.normalize('NFD')],
  [`${'한국어'.normalize('NFD')} 문서`, '한국어'],
  ['⼀⽇游付款⽇期', '付款日期'],
  ['付款日期', '付款⽇期'],
  ['co\u00adoperation', 'cooperation'],
  ['the “Fox’s den”', "fox's den"],
  ['Hoàn thiện tài liệu đào tạo', 'hoan thien tai lieu dao tao'],
  ['Hoàn thiện tài liệu đào tạo'.normalize('NFD'), 'hoan thien tai lieu dao tao'],
  ['Slovenská literatúra', 'Slovenska'],
  ['Łódź i żółw', 'lodz'],
  ['Ещё один мёд', 'мед'],
  ['İstanbul gezisi', 'istanbul'],
  ['Diyarbakır gezisi', 'diyarbakir'],
  ['istanbul gezisi', 'İstanbul'],
  ['כתוב שָׁלוֹם עולם', 'שלום'],
  ['قرأت كِتَابٌ اليوم', 'كتاب'],
  ['أحمد هنا', 'احمد'],
  ['Η Αθήνα το πρωί', 'αθηνα'],
  ['Die Straße', 'Strasse'],
  ['Une œuvre', 'oeuvre'],
  ['a well-known e-mail client', 'email'],
  ['revenue 1,234,567 dollars', '1234567'],
  ['revenue 1234567 dollars', '1,234,567'],
  ['コンピュータの設定', 'コンピューター'],
  ['コンピューターの設定', 'コンピュータ'],
  ['Muenchen im Sommer', 'München'],
  ['München im Sommer', 'Muenchen'],
  ['Купил новые книги', 'книга'],
  ['Thời tiê\u0323t đẹp', 'tiết'.replace('ế', 'ệ')],
  ['Thời tiê\u0323t đẹp', 'tiet'],
  ['Thời tiết đẹp', 'tiê\u0301t'],
  ['chợ nổi', 'cho noi'],
  ['η αθ\u1f75να', 'αθήνα'],
  ['η αθ\u1f75να', 'αθηνα'],
  ['Ἀθῆναι', 'αθηναι'],
  ['\u212bngström unit', 'Ångström'],
  ['\u212bngström unit', 'angstrom'],
  ['Größe in Ｇröße', 'grosse'],
  ['un cœur brisé', 'coeur brise'],
  ['ﬂûte traversière', 'flute'],
  ['ﬂûte traversière', 'flûte'],
  ['第\u2f00章\u65e5期', '一章日期'],
  ['第一章\u2f47期', '一章日期'],
  ['\uf9e9水を飲む', '里水'],
  ['\u2fa5水を飲む', '里水'],
  ['\uf914曲を聴く', '樂曲'],
  ['\uf95c曲を聴く', '樂曲'],
  ['ｺﾝﾋﾟｭｰﾀ室', 'コンピュータ室'],
  ['Ｃａｆé ouvert', 'cafe'],
  ['Přílíš žluťoučký', 'zlutoucky'],
  ['Ąžuolas', 'azuolas'],
  ['Şişli’de çay', 'sisli'],
  ['São João', 'sao joao'],
];

describe('a note is found by what stands in it', () => {
  it.each(DOCS)('%j by %j', async (text, query) => {
    const block = await note(text);
    expect(await found(query)).toContain(block);
  });

  it.each(DOCS.filter(([text, query]) => findAlike(text, query)))('as keywords and in query syntax: %j by %j', async (text, query) => {
    const block = await note(`${text} Quillon`);
    const phrase = `"${query.replaceAll('"', '""')}"`;
    const queries: readonly (readonly [SearchQuery['mode'], string])[] = [
      ['keyword', query],
      ['keyword', `${query} Quillon`],
      ['syntax', phrase],
      ['syntax', `${phrase} AND quillon`],
      ['syntax', `zzzz OR ${phrase}`],
      ['syntax', `content : ${phrase}`],
      ['syntax', `NEAR(${phrase} "Quillon", 90)`],
      ['syntax', `${phrase} NOT zzzz`],
    ];
    for (const [mode, asked] of queries)
      expect([mode, asked, await found(asked, mode)]).toEqual([mode, asked, expect.arrayContaining([block])]);
    for (const asked of [`${phrase} NOT quillon`, `name : ${phrase}`])
      expect([asked, await found(asked, 'syntax')]).not.toEqual([asked, expect.arrayContaining([block])]);
    // A pattern finds its own signs, composed or not.
    if (['NFC', 'NFD'].some((form) => text.includes(query.normalize(form)))) expect(await found(query, 'regex')).toContain(block);
  });

  it.each(['keyword', 'syntax'] as const)('first where it is written so, and never with other accents than are typed: %s', async (mode) => {
    const texts = ['the Naïvetée', 'Naivetee Naivetee Naivetee', 'the Naïvetee', 'Naivetee'].map((text) =>
      text.replaceAll(/na/gi, (start) => `${start}${mode}`),
    );
    const blocks: string[] = [];
    for (const text of texts) blocks.push(await note(text));
    const [both = '', many = '', one = '', plain = ''] = blocks;
    const bare = (await found(`na${mode}ivetee`, mode)).filter((id) => blocks.includes(id));
    expect(new Set(bare.slice(0, 2))).toEqual(new Set([many, plain]));
    expect(new Set(bare.slice(2))).toEqual(new Set([both, one]));
    expect((await found(`na${mode}ïvetée`, mode)).filter((id) => blocks.includes(id))).toEqual([both]);
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => bench.host.notes.search({ query: `na${mode}ivetee`, mode, page, pageSize: 1 }, signal)),
    );
    expect(pages.map(({ matches: [match], nextPage }) => [match?.id, nextPage])).toEqual([
      ...bare.map((id, at) => [id, at < 3 ? at + 2 : null]),
      [undefined, null],
    ]);
  });

  it('first where the accents are the same, and never where the question has others', async () => {
    const [plain, accented, other] = [
      await note('the resume of Quillon'),
      await note('the résumé of Quillon'),
      await note('the résume of Quillon'),
    ];
    expect((await found('resume Quillon')).slice(0, 1)).toEqual([plain]);
    const exact = await found('résumé');
    expect(exact).toContain(accented);
    expect(exact).not.toContain(plain);
    expect(exact).not.toContain(other);
  });
});

describe('grep_doc', () => {
  it.each(DOCS.filter(([text, query]) => findAlike(text, query)))('%j by %j', async (text, query) => {
    const block = await note(text);
    const documentId = documents.get(block)!;
    const { matches } = await bench.host.notes.grep({ id: documentId, pattern: query, regex: false, limit: 9 }, signal);
    expect(matches.map(({ blockId }) => blockId)).toEqual([block]);
  });
});

describe('an edit', () => {
  it.each(DOCS.filter(([text, query]) => evenForm(text, 'same', true).includes(evenForm(query, 'same', true))))(
    'of %j by %j is of the signs of the note',
    async (text, query) => {
      const block = await note(text);
      const edits = [{ old: query, new: `${query} NEW` }];
      const plan = await bench.host.notes.planEdit(
        { id: block, expectHash: hashOfBlock(await bench.dom(block)), edits },
        'edit_block',
        signal,
      );
      const after = plan.operations[0]?.after ?? '';
      expect(after.replace(' NEW', '').replaceAll('\u200b', '')).toBe((plan.operations[0]?.before ?? '').replaceAll('\u200b', ''));
      expect(after).toContain(' NEW');
    },
  );
});

describe('a name in other signs', () => {
  it('is that of a tag, a note and its notebook', async () => {
    const { notes } = bench.host;
    const [tagged, path] = ['Cafe\u0301', '/Alike/Über “X”'];
    const document = await bench.document(path, `first #${tagged}#`);
    const [block = ''] = await bench.blocks(document);
    expect((await notes.search({ query: 'first', mode: 'keyword', page: 1, pageSize: 9, tags: ['Café'] }, signal)).matches).toMatchObject([
      { id: block },
    ]);
    expect((await notes.search({ query: 'first', mode: 'relevance', page: 1, pageSize: 9, tags: ['Café'] }, signal)).matches).toMatchObject(
      [{ id: block }],
    );
    expect((await notes.tags({ filter: 'café', limit: 9 }, signal)).tags).toMatchObject([{ label: tagged }]);
    expect((await notes.planTag({ label: 'Café', to: 'Bar' }, 'tags', signal)).operations).toHaveLength(1);
    for (const other of [path.normalize('NFD'), '/Alike/Über "X"'])
      expect((await notes.document({ path: other }, { start: 0, blocks: 5 }, signal)).id).toBe(document);
  });
});
