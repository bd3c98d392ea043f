// Blocks of all kinds for random documents: as the model writes them (Markdown), and as the editor stores them (block DOM).
import { domOfMarkdown } from '../../devhost/kernel/tree/render.ts';
import type { Choices } from './edit-program-documents.ts';
import { customBlock, inSuperBlock, mapList, mindMap, table as richTable, tabs } from './newer-blocks.ts';
import { hostVersion } from './real-kernel.ts';

/** What the text of a block may name. */
export interface BlockWorld {
  /** Blocks that references may name. */
  readonly ids: readonly string[];
  /** A tag of this program's own. */
  readonly tag: string;
}

const WORDS = ['moon', 'apollo', 'fuel', '月球', 'crew', 'engine', 'log', 'plan', 'orbit', 'äöü', 'x_y', '3.14', 'e.g.', '“so”'];
/** Text with signs that Markdown reads; as a model means it: literally. */
const SIGNS = [
  '$5 and $10',
  '$HOME/bin:$PATH',
  'x^2 + y^2',
  'a ~ b, 5~10',
  '[^1]',
  'a == b == c',
  '1 * 2 * 3',
  'a\\b',
  '50%',
  'C#',
  '<b>',
  'a | b',
  '(x) [y] {z}',
  'if a < b && c > d',
];
const MARKED = ['Note:', '提示：', '“quoted”', '(in brackets)', 'word', '两个词', 'a, b', 'end.', '!'];

const words = (choices: Choices, most: number): string =>
  Array.from({ length: 1 + choices.below(most) }, () => choices.pick(WORDS) ?? '').join(' ');

/** Text of one line, as a model writes it. */
function inlineMarkdown(choices: Choices, { ids, tag }: BlockWorld): string {
  const piece = (): string => {
    const marked = choices.pick(MARKED) ?? '';
    switch (choices.below(24)) {
      case 0:
        return `**${marked}**`;
      case 1:
        return `**${marked}**${words(choices, 1)}`;
      case 2:
        return `*${marked}*`;
      case 3:
        return `~~${marked}~~`;
      case 4:
        return `\`${choices.pick(['c', 'a|b', 'x**y', '<i>', 'f(x)'])}\``;
      case 5:
        return `#${tag}#`;
      case 6:
        return `[${words(choices, 2)}](https://example.org/${choices.below(9)}?a=1&b=2)`;
      case 7:
        return `((${choices.pick(ids) ?? ''} "${words(choices, 2)}"))`;
      case 8:
        return `==${marked}==`;
      case 9:
        return `\\(${choices.pick(['x^2', 'a_1', '\\frac{1}{2}'])}\\)`;
      case 10:
        return `***${marked}***`;
      case 11:
      case 12:
        return choices.pick(SIGNS) ?? '';
      case 13:
        return `<u>${marked}</u>`;
      default:
        return words(choices, 3);
    }
  };
  return Array.from({ length: 1 + choices.below(4) }, piece).join(choices.chance(80) ? ' ' : '');
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const span = (type: string, text: string, more = ''): string => `<span data-type="${type}"${more}>${text}</span>`;

/** The same as the editor has it in a block: every mark, coloured text, and signs that are text. */
function inlineDom(choices: Choices, { ids, tag }: BlockWorld): string {
  const piece = (): string => {
    const text = escapeText(choices.pick(MARKED) ?? '');
    switch (choices.below(26)) {
      case 0:
      case 1:
        return span(choices.pick(['strong', 'em', 's', 'u', 'mark', 'sup', 'sub', 'strong em', 'strong mark', 'em s']) ?? '', text);
      case 2:
        return span('text', text, ' style="color: var(--b3-font-color8);"');
      case 3:
        return span('strong text', text, ' style="background-color: rgb(255, 0, 0); color: white;"');
      case 4:
        return `${span('code', `\u200b${escapeText(choices.pick(['c', 'a|b', '**x**', '<i>']) ?? '')}`)}\u200b`;
      case 5:
        return `${span('kbd', '\u200bCtrl')}\u200b`;
      case 6:
        return `${span('tag', `\u200b${tag}`)}\u200b`;
      case 7:
        return span(
          'a',
          text,
          ` data-href="https://example.org/${choices.below(9)}?a=1&amp;b=2"${choices.chance(30) ? ' data-title="t"' : ''}`,
        );
      case 8:
        return ids.length === 0
          ? text
          : span('block-ref', text, ` data-subtype="${choices.chance(60) ? 's' : 'd'}" data-id="${choices.pick(ids) ?? ''}"`);
      case 9:
        return `<span data-type="inline-math" data-subtype="math" data-content="${choices.pick(['x^2', 'a_1'])}" contenteditable="false" class="render-node"></span>`;
      case 10:
        return span('inline-memo', text, ' data-inline-memo-content="a remark"');
      case 11:
        return '<span contenteditable="false" data-type="img" class="img"><span> </span><span><span class="protyle-action protyle-icons"></span><img src="assets/a.png" data-src="assets/a.png" alt="i" title="t"><span class="protyle-action__drag"></span><span class="protyle-action__title"><span>t</span></span></span><span> </span></span>';
      case 12:
      case 13:
      case 14:
        return escapeText(choices.pick(SIGNS) ?? '');
      case 15:
        return `${words(choices, 1)}\n${words(choices, 1)}`;
      default:
        return words(choices, 3);
    }
  };
  return Array.from({ length: 1 + choices.below(4) }, piece).join(choices.chance(80) ? ' ' : '');
}

type Slot = () => string;

const TASK_MARKS = [' ', 'x', 'X', '-', '/', '>', '?', '!', '*'];
const CALLOUTS = ['NOTE', 'TIP', 'WARNING', 'note', '注意', 'my type', '💡', 'Info'];

function list(choices: Choices, slot: Slot, marker: () => string): string {
  const lines = [`${marker()} ${slot()}`];
  let depth = 0;
  for (let count = choices.below(5); count > 0; count -= 1) {
    depth = Math.min(depth + 1, choices.below(3));
    lines.push(`${'   '.repeat(depth)}${marker()} ${slot()}`);
    if (choices.chance(15)) lines.push('', `${'   '.repeat(depth + 1)}${slot()}`);
  }
  return lines.join('\n');
}

const quoted = (text: string): string => text.replaceAll(/^/gmu, '> ').replaceAll(/^> $/gmu, '>');

function table(choices: Choices, slot: Slot): string {
  const columns = 1 + choices.below(3);
  const row = (cell: () => string): string => `| ${Array.from({ length: columns }, cell).join(' | ')} |`;
  const rows = Array.from({ length: 1 + choices.below(3) }, () => row(() => (choices.chance(10) ? '' : slot())));
  return [row(slot), row(() => choices.pick(['-', ':-', '-:', ':-:']) ?? ''), ...rows].join('\n');
}

/** Kinds that Markdown has, which a model may write. */
function plainBlock(choices: Choices, slot: Slot): string {
  switch (choices.below(20)) {
    case 0:
    case 1:
      return `${'#'.repeat(1 + choices.below(6))} ${slot()}`;
    case 2:
    case 3:
      return list(choices, slot, () => '-');
    case 4:
    case 5: {
      let number = choices.chance(20) ? 3 : 0;
      const one = choices.chance(20);
      return list(choices, slot, () => `${one ? 1 : ++number}.`);
    }
    case 6:
    case 7:
      return list(choices, slot, () => `- [${choices.pick(TASK_MARKS)}]`);
    case 8:
      return quoted(`${slot()}\n\n${choices.chance(30) ? list(choices, slot, () => '-') : slot()}`);
    case 9:
    case 10: {
      const title = choices.chance(40) ? ` ${words(choices, 2)}` : '';
      return quoted(`[!${choices.pick(CALLOUTS)}]${title}\n${slot()}${choices.chance(40) ? `\n\n- ${slot()}` : ''}`);
    }
    case 11:
    case 12:
      return table(choices, slot);
    case 13:
      return `\`\`\`${choices.pick(['js', '', 'python'])}\nlet ${words(choices, 1)} = "**x**";\n\n${choices.pick(['end', '  | a |', '# no'])}\n\`\`\``;
    case 14:
      return `$$\n${choices.below(9)}x^2\n$$`;
    case 15:
      return choices.chance(50) ? '---' : `${slot()}\n${slot()}`;
    default:
      return slot();
  }
}

/** Kinds and dress of blocks that only the editor makes. */
function editorOnly(choices: Choices, slot: Slot): string {
  const ial = choices.chance(50) ? '' : '\n{: style="color: var(--b3-font-color3);"}';
  switch (choices.below(14)) {
    case 0:
      return `{{{${choices.pick(['row', 'col'])}\n${slot()}\n\n${plainBlock(choices, slot)}\n\n${slot()}\n}}}`;
    case 1:
      return `{{select * from blocks where content like '%none%' limit ${choices.below(9)}}}`;
    case 2:
      return '<iframe src="https://example.org/frame"></iframe>';
    case 3:
      return choices.chance(50)
        ? '<video controls="controls" src="assets/v.mp4"></video>'
        : '<audio controls="controls" src="assets/a.mp3"></audio>';
    case 4:
      return `<div>\nhello <b>${words(choices, 1)}</b>\n</div>`;
    case 5:
      return `<div data-type="NodeAttributeView" data-av-id="20250101010101-${String(choices.below(9)).repeat(7)}" data-av-type="table"></div>`;
    case 6:
    case 7:
    case 8: {
      const text = table(choices, slot);
      const widths = (text.split('\n')[0]?.match(/\|/gu) ?? []).slice(1).map(() => choices.pick(['width: 120px;', 'min-width: 60px;', '']));
      return `${text}\n{: colgroup="${widths.join('|')}"}`;
    }
    case 9:
      return `## ${slot()}${ial}`;
    // Of SiYuan 3.8: a list that is drawn as a map, a table with rich cells. What 3.7.3 keeps of them are their attributes.
    case 10:
      return `${list(choices, slot, () => '-')}\n{: custom-sy-list-mindmap="1" custom-sy-list-mindmap-data="{&quot;version&quot;:1}"}`;
    case 11:
      return `${table(choices, slot)}\n{: custom-sy-table-rich="1"}`;
    default:
      return `${slot()}${ial}`;
  }
}

/** One block as a model writes it. */
export const randomMarkdown = (choices: Choices, world: BlockWorld): string => plainBlock(choices, () => inlineMarkdown(choices, world));

export const randomText = (choices: Choices, world: BlockWorld, blocks: number): string =>
  Array.from({ length: 1 + choices.below(blocks) }, () => randomMarkdown(choices, world)).join('\n\n');

/** Two cells of a row become one, as the editor merges them. */
function merged(dom: string): string {
  return dom.replace(
    /<td([^>]*)>((?:(?!<\/td>)[\s\S])*)<\/td><td([^>]*)>((?:(?!<\/td>)[\s\S])*)<\/td>/u,
    '<td$1 colspan="2">$2</td><td$3 class="fn__none"></td>',
  );
}

const firstId = (dom: string): string => /data-node-id="([^"]+)"/u.exec(dom)?.[1] ?? '';

/** Kinds that 3.7.3 does not hold. */
const NEWER = [tabs, mindMap, mapList, richTable, customBlock, () => inSuperBlock(tabs()), () => inSuperBlock(richTable())];

/** One block as the editor stores it, with ids of its own; DOM that a transaction takes. */
export function editorBlock(choices: Choices, world: BlockWorld): { readonly id: string; readonly dom: string } {
  const newer = hostVersion === '3.8' && choices.chance(20) ? choices.pick(NEWER)?.() : undefined;
  if (newer !== undefined) return { id: firstId(newer), dom: newer };
  let count = 0;
  const slot = (): string => `slot${(count++).toString().padStart(3, '0')}x`;
  const markdown = choices.chance(45) ? editorOnly(choices, slot) : plainBlock(choices, slot);
  const drawn = domOfMarkdown(markdown, false)
    .replaceAll(/slot\d{3}x(?=<\/t[dh]>)/gu, () => inlineDom(choices, world).replaceAll('\n', '<br>'))
    .replaceAll(/slot\d{3}x/gu, () => inlineDom(choices, world));
  const dom = /NodeTable/.test(drawn) && choices.chance(30) ? merged(drawn) : drawn;
  return { id: firstId(dom), dom };
}
