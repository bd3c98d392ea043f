import { type Element, isTag, Text } from 'domhandler';
import { allBlocks, childBlocks, parseBlocks, serializeBlock } from './block-dom.ts';
import { freeSigns } from './private-signs.ts';

/** Task marks other than open and done. */
const OTHER_MARK = /data-task="(?![ xX]?")[^"]*"/;
const WITH_TEXT = new Set(['NodeParagraph', 'NodeHeading']);

const editable = (block: Element): Element | undefined =>
  block.children.filter(isTag).find((child) => child.attribs.contenteditable === 'true');

/** Prints block DOM as Markdown with its task marks: Lute prints every mark except the open one as `[X]`. */
export function printTasks(dom: string, print: (dom: string) => string): string {
  if (!OTHER_MARK.test(dom)) return print(dom);
  const blocks = parseBlocks(dom);
  const tasks = blocks.flatMap(allBlocks).filter((block) => /^[^ xX]$/.test(block.attribs['data-task'] ?? ''));
  const marks = [...new Set(tasks.map((task) => task.attribs['data-task'] ?? ''))];
  const signs = freeSigns(dom, marks.length);
  for (const task of tasks) {
    const first = childBlocks(task)[0];
    const line = first && WITH_TEXT.has(first.attribs['data-type'] ?? '') ? editable(first) : undefined;
    const sign = signs[marks.indexOf(task.attribs['data-task'] ?? '')];
    if (!line || sign === undefined) continue;
    const text = new Text(sign);
    text.parent = line;
    line.children.unshift(text);
  }
  const printed = print(blocks.map(serializeBlock).join(''));
  return marks.reduce(
    (text, mark, index) =>
      text.replace(new RegExp(`\\[[xX]\\]((?:(?!\\[[xX]\\]).)*)${signs[index]}`, 'g'), (_all, between: string) => `[${mark}]${between}`),
    printed,
  );
}
