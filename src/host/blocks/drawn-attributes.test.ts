import { describe, expect, it } from 'vitest';
import { hashOfBlock } from './block-hash.ts';
import { withDrawnAttributes } from './drawn-attributes.ts';

const BARE = '<div class="protyle-attr" contenteditable="false">\u200b</div>';
const paragraph = (id: string, attributes: string, attr = BARE): string =>
  `<div data-node-id="20260101000000-${id}" data-type="NodeParagraph" class="p"${attributes}><div contenteditable="true" spellcheck="false">Words &amp; more</div>${attr}</div>`;
const drawn = (marks: string): string => BARE.replace('\u200b', `${marks}\u200b`);
const none = new Map<string, number>();

describe('what the editor shows over a block', () => {
  it('goes along with a block that is written, as SiYuan draws it', () => {
    const attributes = ' bookmark="Later" name="a <b>" alias="x,y" memo="one_esc_newline_two" custom-x="1"';
    const marks =
      '<div class="protyle-attr--bookmark">Later</div>' +
      '<div class="protyle-attr--name"><svg><use xlink:href="#iconN"></use></svg>a &lt;b&gt;</div>' +
      '<div class="protyle-attr--alias"><svg><use xlink:href="#iconA"></use></svg>x,y</div>' +
      '<div class="protyle-attr--memo ariaLabel" aria-label="one\ntwo" data-position="4north"><svg><use xlink:href="#iconM"></use></svg></div>' +
      '<div class="protyle-attr--refcount popover__block">2</div>';
    const written = withDrawnAttributes(paragraph('aaaaaaa', attributes), new Map([['20260101000000-aaaaaaa', 2]]));
    expect(written).toBe(paragraph('aaaaaaa', attributes, drawn(marks)));
    expect(hashOfBlock(written)).toBe(hashOfBlock(paragraph('aaaaaaa', attributes)));
  });

  it('stands at the block itself, not at one around it', () => {
    const list = (inside: string): string =>
      `<div data-node-id="20260101000000-lllllll" data-type="NodeList" class="list">${inside}${BARE}</div>`;
    expect(withDrawnAttributes(list(paragraph('aaaaaaa', ' name="n"')), none)).toBe(
      list(paragraph('aaaaaaa', ' name="n"', drawn('<div class="protyle-attr--name"><svg><use xlink:href="#iconN"></use></svg>n</div>'))),
    );
  });

  it('is nothing where there is nothing', () => {
    const plain = paragraph('aaaaaaa', ' custom-x="1"');
    expect(withDrawnAttributes(plain, none)).toBe(plain);
  });
});
