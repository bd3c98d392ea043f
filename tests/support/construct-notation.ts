// One notation for what the panel shows and for what is in a note, so that the two can be compared: `p(strong[注意：]请)`.
import { type AnyNode, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';

interface Run {
  readonly text: string;
  readonly marks: readonly string[];
}

const MARKS: Readonly<Record<string, string>> = { strong: 'strong', b: 'strong', em: 'em', i: 'em', del: 's', s: 's' };
const SAME = new Set(['mark', 'code', 'u', 'kbd', 'sub', 'sup']);
const classes = (element: Element): readonly string[] => (element.attribs.class ?? '').split(' ');
const has = (element: Element, name: string): boolean => classes(element).includes(name);
const textOf = (node: AnyNode): string => (isText(node) ? node.data : 'children' in node ? node.children.map(textOf).join('') : '');
const decoded = (text: string): string => text.replace(/^https?:\/\/|^mailto:/, '').replaceAll('&amp;', '&');
const elements = (nodes: readonly AnyNode[]): Element[] => nodes.filter(isTag);

function written(runs: readonly Run[]): string {
  const joined: { text: string; marks: string }[] = [];
  for (const { text, marks } of runs) {
    const key = [...new Set(marks)].sort().join(' ');
    const last = joined.at(-1);
    if (last?.marks === key) last.text += text;
    else if (text !== '') joined.push({ text, marks: key });
  }
  return joined
    .map(({ text, marks }) => (marks === '' ? text : `${marks}[${text}]`))
    .join('')
    .replace(/\u200b/g, '')
    .trim()
    .replace(/[ \t]*\n[ \t]*/g, '⏎');
}

/** Marks of an element of the panel; undefined: its text is to be read otherwise. */
function panelMarks(element: Element): readonly string[] {
  const { name, attribs } = element;
  if (has(element, 'mg-tag')) return ['tag'];
  if (has(element, 'mg-math') || has(element, 'mg-math-display')) return ['math'];
  if (has(element, 'mg-cite')) return ['ref'];
  // A note has addresses as they are, the panel links them.
  if (name === 'a') return decoded(attribs.href ?? '') === decoded(textOf(element)) ? [] : ['a'];
  return SAME.has(name) ? [name] : MARKS[name] === undefined ? [] : [MARKS[name]];
}

function panelRuns(nodes: readonly AnyNode[], marks: readonly string[] = []): Run[] {
  return nodes.flatMap((node): Run[] => {
    if (isText(node)) return [{ text: node.data, marks }];
    if (!isTag(node) || node.name === 'input' || has(node, 'mg-task__state')) return [];
    if (node.name === 'br') return [{ text: '\n', marks }];
    if (node.name === 'img') return [{ text: node.attribs.alt ?? '', marks: [...marks, 'img'] }];
    if (has(node, 'mg-footnote')) return [{ text: `[^${textOf(node)}]`, marks }];
    return panelRuns(node.children, [...marks, ...panelMarks(node)]);
  });
}

const INLINE = new Set(['a', 'span', 'strong', 'em', 'del', 'mark', 'code', 'u', 'kbd', 'sub', 'sup', 'br', 'img', 'input', 'b', 'i']);

/** Blocks of a container, whose own text is a paragraph. */
function panelBlocks(nodes: readonly AnyNode[]): string[] {
  const out: string[] = [];
  let inline: AnyNode[] = [];
  const flush = (): void => {
    const text = written(panelRuns(inline));
    if (text !== '') out.push(`p(${text})`);
    inline = [];
  };
  for (const node of nodes) {
    if (isTag(node) && !INLINE.has(node.name)) {
      flush();
      out.push(panelBlock(node));
    } else inline.push(node);
  }
  flush();
  return out;
}

function panelItem(item: Element): string {
  const box = elements(item.children.flatMap((node) => (isTag(node) && node.name === 'p' ? [node, ...node.children] : [node])));
  const input = box.find(({ name }) => name === 'input');
  const state = box.find((each) => has(each, 'mg-task__state'));
  const task = input ? ('checked' in input.attribs ? '[X]' : '[ ]') : state ? `[${textOf(state)}]` : '';
  return `li${task}(${panelBlocks(item.children).join(' ')})`;
}

const rowsOf = (element: Element): Element[] => elements(element.children).flatMap((each) => (each.name === 'tr' ? [each] : rowsOf(each)));

function panelBlock(element: Element): string {
  const { name, children } = element;
  if (name === 'ul' || name === 'ol') return `${name}(${elements(children).map(panelItem).join(' ')})`;
  if (name === 'blockquote') return `quote(${panelBlocks(children).join(' ')})`;
  if (name === 'hr') return 'hr()';
  if (name === 'pre') return `code(${textOf(element).replace(/\n$/, '')})`;
  if (has(element, 'mg-math-block')) return `math(${textOf(element).replace(/\n/g, '⏎')})`;
  if (has(element, 'mg-super')) return `super(${panelBlocks(children).join(' ')})`;
  if (has(element, 'mg-callout')) {
    const [title, ...body] = elements(children);
    const [icon, words] = elements(title?.children ?? []);
    return `callout(${icon ? textOf(icon) : ''} ${written(panelRuns(words ? [words] : []))} ${panelBlocks(body).join(' ')})`;
  }
  if (has(element, 'mg-footnote-text')) {
    const [label, body] = elements(children);
    const [first = 'p()', ...rest] = panelBlocks(body?.children ?? []);
    return [first.replace(/^p\(/, `p([^${label ? textOf(label) : ''}]: `), ...rest].join(' ');
  }
  if (has(element, 'mg-table'))
    return `table(${rowsOf(element)
      .map((row) =>
        elements(row.children)
          .map((cell) => written(panelRuns(cell.children)))
          .join('|'),
      )
      .join(' / ')})`;
  return `${name}(${written(panelRuns(children))})`;
}

/** Blocks of an answer, from the HTML of the panel. */
export const panelNotation = (html: string): string => panelBlocks(parseDocument(html).children).join(' ');

function noteRuns(nodes: readonly AnyNode[], marks: readonly string[] = []): Run[] {
  return nodes.flatMap((node): Run[] => {
    if (isText(node)) return [{ text: node.data, marks }];
    if (!isTag(node)) return [];
    if (node.name === 'br') return [{ text: '\n', marks }];
    if (node.name === 'img') return [{ text: node.attribs.alt ?? '', marks: [...marks, 'img'] }];
    if (has(node, 'img')) return noteRuns(imagesOf(node), marks);
    const types = (node.attribs['data-type'] ?? '').split(' ').filter((type) => type !== '' && type !== 'text' && type !== 'backslash');
    if (types.includes('inline-math')) return [{ text: node.attribs['data-content'] ?? '', marks: [...marks, 'math'] }];
    const isAddress = types.includes('a') && decoded(node.attribs['data-href'] ?? '') === decoded(textOf(node));
    const own = types.map((type) => (type === 'block-ref' || (node.attribs['data-href'] ?? '').startsWith('siyuan://') ? 'ref' : type));
    return noteRuns(node.children, [...marks, ...own.filter((type) => !(isAddress && type === 'a'))]);
  });
}

const imagesOf = (element: Element): Element[] =>
  elements(element.children).flatMap((each) => (each.name === 'img' ? [each] : imagesOf(each)));
const isBlock = (element: Element): boolean => element.attribs['data-node-id'] !== undefined;
const noteBlocks = (element: Element): string => elements(element.children).filter(isBlock).map(noteBlock).join(' ');
const editable = (element: Element): string => written(noteRuns(elements(element.children).slice(0, 1)));

function listOf(element: Element): string {
  const items = elements(element.children).filter(isBlock);
  const kind = items[0]?.attribs['data-subtype'] === 'o' ? 'ol' : 'ul';
  return `${kind}(${items
    .map((item) => {
      const task = item.attribs['data-task'];
      return `li${task === undefined ? '' : `[${task.replaceAll('&gt;', '>')}]`}(${noteBlocks(item)})`;
    })
    .join(' ')})`;
}

function calloutOf(element: Element): string {
  const [info, content] = elements(element.children);
  const [icon, title] = elements(info?.children ?? []);
  return `callout(${icon ? textOf(icon) : ''} ${written(noteRuns(title ? [title] : []))} ${content ? noteBlocks(content) : ''})`;
}

function noteBlock(element: Element): string {
  const { attribs } = element;
  switch (attribs['data-type']) {
    case 'NodeParagraph':
      return `p(${editable(element)})`;
    case 'NodeHeading':
      return `${attribs['data-subtype']}(${editable(element)})`;
    case 'NodeList':
      return listOf(element);
    case 'NodeBlockquote':
      return `quote(${noteBlocks(element)})`;
    case 'NodeSuperBlock':
      return `super(${noteBlocks(element)})`;
    case 'NodeCallout':
      return calloutOf(element);
    case 'NodeMathBlock':
      return `math(${(attribs['data-content'] ?? '').replace(/\n/g, '⏎').replaceAll('&lt;', '<').replaceAll('&amp;', '&')})`;
    case 'NodeThematicBreak':
      return 'hr()';
    case 'NodeCodeBlock':
      return `code(${textOf(elements(element.children).find((each) => has(each, 'hljs')) ?? element)
        .replaceAll('\u200b', '')
        .replace(/\n$/, '')})`;
    case 'NodeTable':
      return `table(${rowsOf(element)
        .map((row) =>
          elements(row.children)
            .map((cell) => written(noteRuns(cell.children)))
            .join('|'),
        )
        .join(' / ')})`;
    default:
      return `${attribs['data-type']}(${attribs['data-content'] ?? ''})`;
  }
}

/** Blocks of a note, from its block DOM. */
export const noteNotation = (dom: string): string => elements(parseDocument(dom).children).map(noteBlock).join(' ');
