import { ToolError } from '../contract/errors.ts';
import type { NotePlanner } from '../contract/note-planner.ts';
import { type Draft, notice, operation, shownDocument } from './in-memory-drafts.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import { parseBlock, tagsIn } from './in-memory-markdown.ts';
import { referringElsewhere } from './in-memory-queries.ts';
import type { InMemoryStore } from './in-memory-store.ts';

/** What becomes of one block, old or new; an old one without a new one goes, a new one without an old one comes. */
interface Step {
  readonly old?: StoredBlock;
  readonly new?: StoredBlock;
}

/** A block whose text stands in both keeps its place; between such blocks old and new are paired in order. */
function alignBlocks(before: readonly StoredBlock[], after: readonly StoredBlock[]): readonly Step[] {
  const steps: Step[] = [];
  let from = 0;
  let waiting: StoredBlock[] = [];
  const flush = (until: number): void => {
    const old = before.slice(from, until);
    for (let index = 0; index < Math.max(old.length, waiting.length); index++) {
      const [left, right] = [old[index], waiting[index]];
      steps.push({ ...(left === undefined ? {} : { old: left }), ...(right === undefined ? {} : { new: right }) });
    }
    waiting = [];
  };
  for (const block of after) {
    const at = before.findIndex(({ markdown }, index) => index >= from && markdown === block.markdown);
    const kept = before[at];
    if (kept === undefined) {
      waiting.push(block);
      continue;
    }
    flush(at);
    steps.push({ old: kept, new: kept });
    from = at + 1;
  }
  flush(before.length);
  return steps;
}

export function draftRewrite(store: InMemoryStore, { id, markdown }: Parameters<NotePlanner['planRewrite']>[0]): Draft {
  const { document, block } = store.locate(id);
  if (block !== undefined) throw new ToolError('bad_id', `${id} is a block`, 'give the id of its document, or use edit_block');
  const steps = alignBlocks(store.visibleBlocks(document), store.parseGiven(markdown));
  const operations = steps.flatMap(({ old, new: next }) => {
    if (old !== undefined && next === undefined) return [operation('delete', old.id, old.type, old.markdown, null)];
    if (old === undefined && next !== undefined) return [operation('insert', next.id, next.type, null, next.markdown)];
    if (old === undefined || next === undefined || old === next) return [];
    return [operation('update', old.id, next.type, old.markdown, next.markdown)];
  });
  const deleted = operations.filter(({ action }) => action === 'delete').map(({ blockId }) => blockId);
  const hidden = document.blocks.filter((entry) => store.isHidden(entry));
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    operations,
    notices: [...notice('references-lost', referringElsewhere(store, deleted)), ...notice('hidden-kept', hidden.length)],
    run: (accepted) => {
      const after = steps.flatMap(({ old, new: next }) => {
        if (old === undefined) return next !== undefined && accepted.has(`insert-${next.id}`) ? [next] : [];
        if (next === undefined) return accepted.has(`delete-${old.id}`) ? [] : [old];
        return accepted.has(`update-${old.id}`) ? [{ ...next, id: old.id }] : [old];
      });
      document.blocks = [...after, ...hidden];
      return { documentId: document.id, blockIds: operations.filter((entry) => accepted.has(entry.id)).map(({ blockId }) => blockId) };
    },
  };
}

export function draftTag(store: InMemoryStore, { label, to }: Parameters<NotePlanner['planTag']>[0]): Draft {
  const writable = store.readableDocuments().filter(({ notebook }) => store.visibleNotebook(notebook).right !== 'read');
  const found = writable.flatMap((document) =>
    store
      .visibleBlocks(document)
      .filter(({ markdown }) => tagsIn(markdown).includes(label))
      .map((block) => ({ document, block, after: block.markdown.replaceAll(`#${label}#`, to === undefined ? label : `#${to}#`) })),
  );
  const [first] = found;
  if (first === undefined) throw new ToolError('not_found', `no block that may be written has the tag ${label}`, 'call tags op=list');
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    operations: found.map(({ document, block, after }) =>
      operation('update', block.id, block.type, block.markdown, after, { document: shownDocument(document) }),
    ),
    run: (accepted) => {
      const kept = found.filter(({ block }) => accepted.has(`update-${block.id}`));
      for (const { document, block, after } of kept) {
        document.blocks = document.blocks.map((entry) => (entry.id === block.id ? { ...entry, ...parseBlock(after) } : entry));
      }
      return { documentId: first.document.id, blockIds: kept.map(({ block }) => block.id) };
    },
  };
}
