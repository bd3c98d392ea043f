import { ToolError } from '../contract/errors.ts';
import type { NotePlanner } from '../contract/note-planner.ts';
import { type Draft, notice, operation, shownDocument } from './in-memory-drafts.ts';
import { hashOf, type StoredBlock } from './in-memory-markdown.ts';
import { putAt, relisted, removals, replaceBlock, type StoredPosition } from './in-memory-positions.ts';
import { referringElsewhere } from './in-memory-queries.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

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
      steps.push({ old: left, new: right });
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
    return [operation('update', old.id, next.type, old.markdown, next.markdown, removals(store, old, next.markdown))];
  });
  if (operations.length === 0) throw new ToolError('no_change', 'the document says this already', 'leave it as it is');
  const deleted = operations.filter(({ action }) => action === 'delete').map(({ blockId }) => blockId);
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    operations,
    notices: [...notice('references-lost', referringElsewhere(store, deleted)), ...notice('hidden-kept', store.countHidden(document))],
    run: (accepted) => {
      let last: StoredPosition = { at: 'start' };
      for (const { old, new: next } of steps) {
        if (old === undefined && next !== undefined && accepted.has(`insert-${next.id}`)) {
          putAt(document, last, [next]);
          last = { at: 'after', id: next.id };
        } else if (old !== undefined && next === undefined && accepted.has(`delete-${old.id}`)) {
          document.blocks = document.blocks.filter((each) => each.id !== old.id);
        } else if (old !== undefined) {
          if (next !== undefined && accepted.has(`update-${old.id}`)) replaceBlock(document, relisted(store, old, next.markdown));
          last = { at: 'after', id: old.id };
        }
      }
      return { documentId: document.id, blockIds: operations.filter((entry) => accepted.has(entry.id)).map(({ blockId }) => blockId) };
    },
  };
}

function checkLabel(text: string): string {
  const label = text.trim().replaceAll(/^#|#$/gu, '');
  if (label !== '' && !/[#\n]/u.test(label)) return label;
  throw new ToolError('bad_label', `"${text}" is not a tag`, 'write it without #, like project/moon');
}

/** The text with the tag and those below it renamed, or without the tag alone. */
function retagged(text: string, label: string, to: string | undefined): string {
  return text.replaceAll(/#([^#\s][^#\n]*)#/gu, (whole, words: string) => {
    if (words === label) return to === undefined ? label : `#${to}#`;
    return to !== undefined && words.startsWith(`${label}/`) ? `#${to}${words.slice(label.length)}#` : whole;
  });
}

export function draftTag(store: InMemoryStore, request: Parameters<NotePlanner['planTag']>[0]): Draft {
  const label = checkLabel(request.label);
  const to = request.to === undefined ? undefined : checkLabel(request.to);
  if (label === to) throw new ToolError('no_change', 'both names are the same', 'give another name');
  const change = (text: string): string => retagged(text, label, to);
  const carrying = (document: StoredDocument) => document.blocks.filter(({ markdown }) => change(markdown) !== markdown);
  const tagged = store.readableDocuments().flatMap((document) => {
    const visible = new Set(store.visibleBlocks(document).map(({ id }) => id));
    return carrying(document).flatMap((block) => (visible.has(block.id) ? [{ document, block }] : []));
  });
  const all = store.openDocuments().flatMap(carrying).length;
  const writable = tagged.filter(({ document }) => store.visibleNotebook(document.notebook).right !== 'read');
  const chosen = writable.length > 0 ? writable : tagged.filter(({ document }) => document.notebook === tagged[0]?.document.notebook);
  const [first] = chosen;
  if (first === undefined) throw new ToolError('not_found', `no block has the tag ${label}`, 'call tags op=list');
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    operations: chosen.map(({ document, block }) =>
      operation('update', block.id, block.type, block.markdown, change(block.markdown), { document: shownDocument(document) }),
    ),
    notices: [
      ...notice('hidden-tags-kept', all - tagged.length).map((each) => ({ ...each, personOnly: true as const })),
      ...notice('read-only-kept', tagged.length - chosen.length),
    ],
    run: (accepted) => {
      const kept = chosen.filter(({ block }) => accepted.has(`update-${block.id}`));
      for (const { document, block } of kept) {
        const items = block.items?.map((item) => ({ ...item, markdown: change(item.markdown), hash: hashOf(change(item.markdown)) }));
        replaceBlock(document, { ...block, markdown: change(block.markdown), ...(items === undefined ? {} : { items }) });
      }
      return { documentId: first.document.id, blockIds: kept.map(({ block }) => block.id) };
    },
  };
}
