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
  it.each([
    '<div class="x">words</div>',
    '{{SELECT * FROM blocks WHERE random() > 0}}',
    '<iframe src="https://example.org/"></iframe>',
    '<video controls="controls" src="assets/v.mp4"></video>',
    '<audio controls="controls" src="assets/v.mp3"></audio>',
  ])('stays when something beside it is changed: %j', async (piece) => {
    const outline = `* page\n  * one\n\n    ${piece}\n  * deep\n    * two\n* last`;
    for (const around of [
      `* one\n\n  ${piece}\n* two`,
      `> one\n>\n> ${piece}\n>\n> two`,
      `* in\n\n  > one\n  >\n  > ${piece}\n\n* two`,
      outline,
    ]) {
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
      expect(dom).toMatch(/NodeHTMLBlock|NodeIFrame|NodeVideo|NodeAudio|NodeBlockQueryEmbed/);
      expect(dom).toContain('three');
    }
  });
});

const rewrite = async (document: string, markdown: string) => {
  const plan = await bench.host.notes.planRewrite({ id: document, markdown }, 'rewrite_doc', signal);
  await bench.apply(plan);
  return { plan, read: await bench.host.notes.document({ id: document }, { start: 0, blocks: 9 }, signal) };
};
const own = (markdown: string) => bench.document(`/Code/O${++count}`, markdown);

// Of the documentation of Vue, whose notes were created and rewritten on a real SiYuan.
describe('Markdown of real notes', () => {
  it.each(['js{3-10}', 'css{1,13-17}', 'vue-html:line-numbers', 'js{4}', 'x/y=z'])(
    'a language of code keeps its signs: %s',
    async (language) => {
      const text = (word: string) => `words\n\n\`\`\`${language}\nlet a\n\`\`\`\n${word}`;
      for (const document of [(await create(text('more'))).document ?? '', await own(text('more'))]) {
        const { plan, read } = await rewrite(document, text('less'));
        expect(plan.operations.map(({ after }) => after)).toEqual(['less']);
        expect(read.blocks[1]?.markdown).toBe(`\`\`\`${language}\nlet a\n\`\`\``);
      }
    },
  );

  it.each([
    ['in a line', 'call `[alias]((id)))` here'],
    ['in a block', '```js\nhandlers[i]((event) => event)\n```'],
    ['in an address', '[a]((b)) c'],
  ])('two brackets behind a square one stay two: %s', async (_where, markdown) => {
    const { document } = await create(`${markdown}\n\nend`);
    const read = await bench.host.notes.document({ id: document ?? '' }, { start: 0, blocks: 9 }, signal);
    expect(read.blocks[0]?.markdown).toBe(markdown);
  });

  it.each(['<T>', 'a&b', '&lt;', '"q"', 'a\\|b', 'Array<A&B>', 'MAX_FILES', '*', 'a**b', '$x$', '==a==', 'a^2', '~~a~~', '__init__'])(
    'code that is a link is read as it is written, and can be changed: %s',
    async (code) => {
      const text = (word: string, address: string) => `like [**of** \`${code}\`](${address}) ${word}`;
      for (const document of [(await create(text('one', 'https://a.b/c'))).document ?? '', await own(text('one', 'https://a.b/c'))]) {
        const { read } = await rewrite(document, text('two', 'https://a.b/d'));
        expect(read.blocks[0]?.markdown).toContain(`[\`${code}\`](https://a.b/d) two`);
        const plain = await rewrite(document, `like of \`${code}\` three`);
        expect(plain.read.blocks[0]?.markdown).toBe(`like of \`${code}\` three`);
      }
    },
  );

  it.each(['**a [b](/x) c**', '*a [b](/x) c*', '~~a [b](/x) c~~', '==a [b](/x) c==', '**a [b](/x)**', '**[b](/x) [c](/y) d**'])(
    'the words of a link without its address stay in the mark around them: %s',
    async (markdown) => {
      const { plan, document } = await create(`${markdown} end`);
      const read = await bench.host.notes.document({ id: document ?? '' }, { start: 0, blocks: 9 }, signal);
      expect(read.blocks[0]?.markdown).toBe(`${markdown.replaceAll(/\[(\w)\]\(\S+?\)/g, '$1')} end`);
      expect(plan.operations.at(-1)?.after).toBe(read.blocks[0]?.markdown);
    },
  );
});

it.each(['![i](../assets/x y.png)', '[a]([[term/block reference]])'])(
  'a list is rewritten around an address of the person’s own with a blank: %s',
  async (part) => {
    const document = await bench.document(`/Blank ${part.length}`, `- one\n- see ${part} here\n- three`);
    const before = await bench.dom(document);
    const read = await bench.host.notes.document({ id: document }, { start: 0, blocks: 9 }, signal);
    const text = read.blocks.map(({ markdown }) => markdown).join('\n\n');
    await bench.apply(await bench.host.notes.planRewrite({ id: document, markdown: text.replace('one', 'ONE') }, 'rewrite_doc', signal));
    const address = /(?:data-href|src)="[^"]* [^"]*"/u.exec(before)?.[0];
    expect(address).toBeDefined();
    expect(await bench.dom(document)).toContain(address);
  },
);

describe('a file of the workspace', () => {
  it.each([
    'see [the bill](<assets/fuel bill.pdf>) for it',
    'see [the bill](assets/fuel%20bill.pdf) for it',
    '[the bill](<assets/fuel bill.pdf>)',
    'see [the bill](<./assets/fuel bill.pdf>) for it',
    'see [the bill](<assets/fuel%20bill.pdf> "title") for it',
    'see [the bill](./assets/fuel%20bill.pdf) for it',
    'see [the bill](</assets/fuel bill.pdf>) for it',
    'see [the bill](/assets/fuel%20bill.pdf) for it',
    'see [the bill](assets/fuel%20bill.pdf "title") for it',
    '* in a list [the bill](<assets/fuel bill.pdf>) for it',
    '> in a quote **[the bill](<assets/fuel bill.pdf>)** for it',
    '| a |\n| --- |\n| [the bill](<assets/fuel bill.pdf>) |',
    '# in a heading [the bill](<assets/fuel bill.pdf>)',
  ])('is one file, however it is written: %s', async (markdown) => {
    const { document } = await create(markdown);
    const [id = ''] = await bench.blocks(document);
    const dom = await bench.dom(id);
    expect(dom).toContain('data-href="assets/fuel bill.pdf"');
    expect(dom).not.toContain('](');
  });

  it.each(['/assets/a.png', './assets/a.png', 'assets/a%20b.png', 'assets/a b.png', 'https://example.org/a%20b.png'])(
    'stays as the person spelled it: %s',
    async (address) => {
      for (const piece of [`![x](${address})`, `[x](${address})`])
        for (const around of [`${piece} and two`, `* one\n  * two\n  * see:\n    ${piece}\n* last`, `> two\n>\n> ${piece} here`]) {
          const document = await own(around);
          const { blocks } = await bench.host.notes.document({ id: document }, { start: 0, blocks: 9 }, signal);
          const { read } = await rewrite(document, blocks.map(({ markdown }) => markdown.replace('two', 'three')).join('\n\n'));
          expect(read.blocks.map(({ markdown }) => markdown)).toEqual(blocks.map(({ markdown }) => markdown.replace('two', 'three')));
        }
    },
  );

  it('stays as it is written in code', async () => {
    const { document } = await create('`[x](<assets/a b.pdf>)` and\n\n```\n[x](<assets/a b.pdf>)\n```');
    const dom = (await Promise.all((await bench.blocks(document)).map((each) => bench.dom(each)))).join('');
    expect(dom).not.toContain('%20');
    expect(dom).toContain('](&lt;assets/a b.pdf&gt;)');
  });
});
