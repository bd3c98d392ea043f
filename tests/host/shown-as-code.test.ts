import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

let count = 0;
const create = async (markdown: string) => {
  const path = `/Code/N${++count}`;
  const plan = await bench.host.notes.planCreateDocument({ notebook: bench.notebook, path, markdown }, 'create_doc', signal);
  const report = await bench.apply(plan);
  return { plan, document: report.documentId };
};

describe('what a text of the model may not hold', () => {
  it.each([
    '<div class="x">words</div>',
    '{{ mustache }}',
    '{{video https://example.org/v.mp4}}',
    '{{embed ((65a1b2c3-1111-2222-3333-444455556666))}}',
    '<iframe src="https://example.org/"></iframe>',
    '<video src="assets/v.mp4"></video>',
    '<audio controls src="assets/v.mp3"></audio>',
    '<details>\n<summary>more</summary>\n</details>',
    '<!-- a comment -->',
  ])('is written as code with a notice: %j, alone, in a list and in a quote', async (piece) => {
    for (const markdown of [
      `before\n\n${piece}\n\nafter`,
      `- Buy milk\n\n  ${piece.replaceAll('\n', '\n  ')}`,
      `> ${piece.replaceAll('\n', '\n> ')}`,
    ]) {
      const { plan, document } = await create(markdown);
      const dom = (await Promise.all((await bench.blocks(document)).map((id) => bench.dom(id)))).join('');
      expect(dom).not.toMatch(/NodeHTMLBlock|NodeIFrame|NodeVideo|NodeAudio|NodeBlockQueryEmbed|<iframe|<video|<audio|<details/);
      if (piece.startsWith('{{')) expect(plan.notices.map(({ code }) => code)).toContain('shown-as-code');
    }
  });
});

describe('what the person has in a list or a quote', () => {
  it.each(['<div class="x">words</div>', '{{SELECT * FROM blocks WHERE random() > 0}}', '<iframe src="https://example.org/"></iframe>'])(
    'stays when something beside it is changed: %j',
    async (piece) => {
      for (const around of [`* one\n\n  ${piece}\n* two`, `> one\n>\n> ${piece}\n>\n> two`]) {
        const document = await bench.document(`/Code/P${++count}`, around);
        const reading = await bench.host.notes.document({ id: document }, { start: 0, blocks: 9 }, signal);
        const markdown = reading.blocks
          .map((block) => block.markdown)
          .join('\n\n')
          .replace('two', 'three');
        const plan = await bench.host.notes.planRewrite({ id: document, markdown }, 'rewrite_doc', signal);
        expect(plan.notices).toEqual([]);
        await bench.apply(plan);
        const [id = ''] = await bench.blocks(document);
        const dom = await bench.dom(id);
        expect(dom).toMatch(/NodeHTMLBlock|NodeIFrame|NodeBlockQueryEmbed/);
        expect(dom).toContain('three');
      }
    },
  );
});

describe('a file of the workspace', () => {
  it.each([
    'see [the bill](<assets/fuel bill.pdf>) for it',
    'see [the bill](assets/fuel%20bill.pdf) for it',
    '[the bill](<assets/fuel bill.pdf>)',
    'see [the bill](<./assets/fuel bill.pdf>) for it',
    'see [the bill](<assets/fuel%20bill.pdf> "title") for it',
  ])('is one file, however it is written: %s', async (markdown) => {
    const { document } = await create(markdown);
    const [id = ''] = await bench.blocks(document);
    const dom = await bench.dom(id);
    expect(dom).toContain('data-href="assets/fuel bill.pdf"');
    expect(dom).not.toContain('](');
  });

  it('stays as it is written in code', async () => {
    const { document } = await create('`[x](<assets/a b.pdf>)` and\n\n```\n[x](<assets/a b.pdf>)\n```');
    const dom = (await Promise.all((await bench.blocks(document)).map((each) => bench.dom(each)))).join('');
    expect(dom).not.toContain('%20');
    expect(dom).toContain('](&lt;assets/a b.pdf&gt;)');
  });
});
