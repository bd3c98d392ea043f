import { describe, expect, it } from 'vitest';
import { KRAMDOWN_RULE } from '../../tools/groups/skill-texts/kramdown-rule.ts';
import { createContentFilter } from '../content/content-filter.ts';
import { testEngine } from '../testing/lute.ts';

const KNOWN = '20240131120000-abc1234';
const filter = createContentFilter({
  engine: testEngine(),
  clock: { now: () => 1_790_000_000_000, today: () => '2026-09-21' },
  random: Math.random,
});
const written = (markdown: string) =>
  filter.filter({ markdown, knownReferences: async (ids) => new Set(ids.filter((id) => id === KNOWN)) });
const kinds = async (markdown: string): Promise<readonly (string | undefined)[]> =>
  (await written(markdown)).blocks.map((block) => /data-type="(Node\w+)"/u.exec(block)?.[1]);

describe('the rule on kramdown', () => {
  it.each([
    ['- [x] done', 'NodeList'],
    ['> [!NOTE]', 'NodeCallout', '> [!NOTE] Title\n> text'],
    ['> [!CAUTION]', 'NodeCallout', '> [!CAUTION]\n> text'],
    ['{{{col', 'NodeSuperBlock', '{{{col\nleft\n\nright\n}}}'],
    ["{{SELECT * FROM blocks WHERE content LIKE '%launch%' LIMIT 10}}", 'NodeBlockQueryEmbed'],
    [`((${KNOWN} "words to show"))`, 'NodeParagraph'],
    [`[words](siyuan://blocks/${KNOWN})`, 'NodeParagraph'],
    ['==marked==', 'NodeParagraph'],
    ['#tag/below it#', 'NodeParagraph'],
    ['~~deleted~~', 'NodeParagraph'],
    ['$$', 'NodeMathBlock', '$$\na^2\n$$'],
    ['![plan](assets/plan.png)', 'NodeParagraph'],
  ])('teaches %s, which is written as it is said', async (form, kind, markdown = form) => {
    expect(KRAMDOWN_RULE).toContain(form);
    expect((await written(markdown)).notices).toEqual([]);
    expect(await kinds(markdown)).toEqual([kind]);
  });

  it.each([
    ['plantuml', '```plantuml\nx\n```'],
    ['graphviz', '```graphviz\nx\n```'],
    ['\\includegraphics', '$$\n\\includegraphics{x}\n$$'],
  ])('says that %s is refused, and it is', async (form, markdown) => {
    expect(KRAMDOWN_RULE).toContain(form);
    await expect(written(markdown)).rejects.toMatchObject({ code: 'unsafe_markdown' });
  });

  it.each([
    ['attribute lists are dropped', 'text\n{: custom-a="1"}', 'attribute-dropped'],
    ['blocks of HTML', '<div>x</div>', 'shown-as-code'],
    ['iframes', '<iframe src="https://example.com"></iframe>', 'shown-as-code'],
    ['embeds that are not a plain SELECT', '{{DELETE FROM blocks}}', 'shown-as-code'],
    ['front matter becomes a fence', '---\ntitle: x\n---\n\ntext', 'front-matter-fenced'],
    ['pictures of other servers become links', '![x](https://example.com/x.png)', 'remote-image-linked'],
    ['references to unknown ids become their words', '((20200101000000-bbbbbbb "x"))', 'unknown-reference'],
  ])('says that %s, and so it is', async (form, markdown, notice) => {
    expect(KRAMDOWN_RULE).toContain(form);
    expect((await written(markdown)).notices.map(({ code }) => code)).toContain(notice);
  });
});
