import type { KernelDocument, KernelNode } from '../tree/node.ts';
import { domOfMarkdown, nodesOfDom } from '../tree/render.ts';

export const NOTEBOOK = '20260101000000-notebk1';

let made = 0;

/** Ids in the order in which they are asked for, one a second. */
function testId(tail: string): string {
  made += 1;
  return `202601011${String(made).padStart(5, '0')}-${tail.padEnd(7, '0').slice(0, 7)}`;
}

/** A document as Lute reads this Markdown. */
export function testDocument(title: string, markdown: string, id = testId('doc'), properties: Record<string, string> = {}): KernelDocument {
  const children: KernelNode[] = nodesOfDom(domOfMarkdown(markdown, false));
  const root = {
    ID: id,
    Type: 'NodeDocument',
    Properties: { id, title, type: 'doc', updated: id.slice(0, 14), ...properties },
    Children: children,
  };
  return { notebook: NOTEBOOK, path: `/${id}.sy`, hpath: `/${title}`, root };
}
