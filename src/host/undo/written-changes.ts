import type { PlanOperation } from '../../tools/contract/plans.ts';
import { blockType, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { blockHtml } from '../blocks/block-html.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { wasWritten } from '../journal/entry-writes.ts';
import type { JournalEntry, JournalOperation } from '../journal/write-journal.ts';
import { isGuardedElement, removeGuarded } from '../tree/document-tree.ts';

interface Shown {
  readonly type: string;
  readonly markdown: string;
  readonly html: string;
}

/** Null for what did not exist; undefined for what is hidden from the model and shown nowhere in its chat. */
function shown(dom: string, engine: MarkdownEngine): Shown | null | undefined {
  if (dom === '') return null;
  const block = parseBlock(dom);
  if (!block || isGuardedElement(block)) return undefined;
  removeGuarded(block);
  return { type: blockType(block), markdown: engine.toMarkdown(serializeBlock(block)), html: blockHtml(block, engine) };
}

function changeOf({ action, blockId, before, after }: JournalOperation, id: string, engine: MarkdownEngine): PlanOperation[] {
  const [old, fresh] = [shown(before?.dom ?? '', engine), shown(after.dom, engine)];
  if (old === undefined || fresh === undefined) return [];
  const blockType = (fresh ?? old)?.type ?? '';
  const texts = { before: old?.markdown ?? null, after: fresh?.markdown ?? null };
  return [{ id, action, blockId, blockType, ...texts, drawn: { before: old?.html ?? null, after: fresh?.html ?? null }, requires: [] }];
}

/**
 * What these writes did to blocks, as an approval shows it beforehand; changes of whole documents and notebooks are not
 * included. Texts come from the journal, whatever the notes contain by now.
 */
export function writtenChanges(entries: readonly JournalEntry[], engine: MarkdownEngine): PlanOperation[] {
  return entries.flatMap(({ operations }, write) =>
    operations.flatMap((operation, index) => (wasWritten(operation) ? changeOf(operation, `${write}-${index}`, engine) : [])),
  );
}
