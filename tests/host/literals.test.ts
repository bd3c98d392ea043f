import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Literal ${counter}`, markdown);
};
const hashOf = async (doc: string, id: string): Promise<string> =>
  (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 99 }, signal)).blocks.find((block) => block.id === id)?.hash ?? '';

/** An edited block says which talk changed it; that is all that is new on it. */
const withoutSource = (dom: string): string => dom.replace(/ custom-marginalia-source="[^"]*"/, '');

/** A sign of money and the like gets a backslash, which nobody sees, so that it stays one when somebody types in the block. */
const unescaped = (dom: string): string => dom.replace(/<span data-type="backslash">([$^~=#])<\/span>/g, '$1');

describe('literal text', () => {
  it('is never changed by an edit beside it or inside it', async () => {
    const doc = await newDocument('anchor');
    const [anchor] = await bench.blocks(doc);
    const recorded = JSON.parse(readFileSync(new URL('../contract/recorded/literals.json', import.meta.url), 'utf8')) as {
      request: { transactions?: { doOperations: { data: string }[] }[] };
    }[];
    const texts = recorded.flatMap(
      (step) =>
        step.request.transactions?.[0]?.doOperations.map(
          (operation) => />([^<]*)<\/div><div class="protyle-attr"/.exec(operation.data)?.[1] ?? '',
        ) ?? [],
    );
    const more = [
      'a $x$ b \\*c\\*',
      '- dash',
      '> quote',
      '```',
      '---',
      '* star',
      '+ plus',
      '((x))',
      '[a](b)',
      '![a](b)',
      '**b**',
      '==m==',
      '`c`',
      '&amp;amp;',
      '{{{row',
      '}}}',
      '{: id=&quot;x&quot;}',
      'a\\b',
      '~~s~~',
      '^sup^',
      ':smile:',
      'https://example.com',
      '&lt;br&gt;',
      '|x|',
    ];
    const all = [...texts, ...more];
    expect(texts.length).toBe(12);
    const ids = all.map((_text, index) => `20260101000000-lit${String(index).padStart(4, '0')}`);
    const dom = (id: string, text: string): string =>
      `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">zq ${text} qz</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
    for (const [index, id] of ids.entries()) {
      await bench.transact([{ action: 'insert', id, data: dom(id, all[index] ?? ''), previousID: ids[index - 1] ?? anchor }]);
    }
    const before = steady(await bench.dom(doc));
    const plain = new Map<string, string>();
    for (const id of ids) plain.set(id, steady(await bench.dom(id)));
    const node = 'literals';
    for (const id of ids) {
      const plan = await bench.host.notes.planEdit(
        { id, expectHash: await hashOf(doc, id), edits: [{ old: 'zq', new: 'changed' }] },
        't',
        signal,
      );
      await bench.apply(plan, undefined, { ...origin, nodeId: node });
      expect(unescaped(withoutSource(steady(await bench.dom(id))))).toBe(unescaped((plain.get(id) ?? '').replace('>zq', '>changed')));
    }
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(doc))).toBe(before);
  });

  it('keeps colours and sizes that Markdown cannot say', async () => {
    const doc = await newDocument('anchor');
    const [anchor] = await bench.blocks(doc);
    const id = '20260101000000-styled1';
    const inner =
      'red <span data-type="strong text" style="color: red;">word</span> and <span data-type="text" style="font-size: 20px;">big</span> end';
    await bench.transact([
      {
        action: 'insert',
        id,
        data: `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${inner}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`,
        previousID: anchor,
      },
    ]);
    const before = steady(await bench.dom(id));
    expect(before).toContain('color: red');
    const edits = [{ old: ' end', new: ' finish' }];
    await bench.apply(await bench.host.notes.planEdit({ id, expectHash: await hashOf(doc, id), edits }, 't', signal));
    expect(withoutSource(steady(await bench.dom(id)))).toBe(before.replace(' end', ' finish'));
    const markdown = { id, expectHash: await hashOf(doc, id), markdown: 'plain' };
    expect(await codeOf(bench.host.notes.planEdit(markdown, 't', signal))).toBe('not_markdown_safe');
  });

  it('keeps attributes that hold what reads like a character reference, through an edit, a deletion and their undo', async () => {
    const doc = await newDocument('anchor\n\nzq text');
    const [, id = ''] = await bench.blocks(doc);
    const values = ['&lt;b&gt; & more', '&amp;amp;', '&#60;', '&#123;: x="y"}', '&nbsp;', '"&quot;"', 'a & b; c'];
    const attrs = Object.fromEntries(values.map((value, index) => [`custom-v${index}`, value]));
    await bench.api('/api/attr/setBlockAttrs', { id, attrs: { ...attrs, memo: '&lt;i&gt;' } });
    const before = steady(await bench.dom(id));
    const edit = { id, expectHash: await hashOf(doc, id), edits: [{ old: 'zq', new: 'changed' }] };
    await bench.apply(await bench.host.notes.planEdit(edit, 't', signal), undefined, { ...origin, nodeId: 'references-edit' });
    expect(withoutSource(steady(await bench.dom(id)))).toBe(before.replace('>zq', '>changed'));
    bench.policy.setRight(bench.notebook, 'delete');
    await bench.apply(await bench.host.notes.planDeleteBlocks({ ids: [id] }, 't', signal), undefined, {
      ...origin,
      nodeId: 'references-gone',
    });
    for (const nodeId of ['references-gone', 'references-edit'])
      expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(id))).toBe(before);
  });

  it('gains no zero-width space before an image in a cell, however often it is written', async () => {
    const doc = await newDocument('anchor\n\n| zq | b |\n| - | - |\n| x ![i](assets/a.png) y | ![i](assets/a.png)![j](assets/b.png) |');
    const [, id = ''] = await bench.blocks(doc);
    const before = steady(await bench.dom(id));
    for (const [index, words] of [
      ['zq', 'one'],
      ['one', 'two'],
    ].entries()) {
      const edit = { id, expectHash: await hashOf(doc, id), edits: [{ old: words[0] ?? '', new: words[1] ?? '' }] };
      await bench.apply(await bench.host.notes.planEdit(edit, 't', signal), undefined, { ...origin, nodeId: `image-${index}` });
      expect((await bench.dom(id)).split('\u200b').length).toBeLessThanOrEqual(before.split('\u200b').length);
    }
    for (const nodeId of ['image-1', 'image-0']) await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect(steady(await bench.dom(id))).toBe(before);
  });
});
