import { ToolError } from '../contract/errors.ts';
import type { NotePlanner } from '../contract/note-planner.ts';
import type { NotesPort } from '../contract/ports.ts';
import { acceptedInserts, type Draft, operation, shownDocument } from './in-memory-drafts.ts';
import { hashOf, type StoredBlock, type StoredItem, withItems } from './in-memory-markdown.ts';
import {
  itemsOfText,
  positionFor,
  putAt,
  relisted,
  removals,
  replaceBlock,
  type StoredPosition,
  shownPosition,
  stale,
} from './in-memory-positions.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

type RequestOf<Name extends 'planInsert' | 'planEdit' | keyof NotePlanner> = Parameters<NotesPort[Name]>[0];

const itemIn = (block: StoredBlock, id: string): StoredItem | undefined => block.items?.find((item) => item.id === id);

export function draftInsert(store: InMemoryStore, { anchor, position, markdown }: RequestOf<'planInsert'>): Draft {
  const { document, block } = store.locate(anchor);
  if (block === undefined && (position === 'before' || position === 'after')) {
    throw new ToolError('bad_id', 'a document has no place before or after it', 'use prepend or append with a document, or a block id');
  }
  const end: StoredPosition = { at: position === 'prepend' ? 'start' : 'end' };
  return draftInsertAt(store, document, block === undefined ? end : positionFor(block, itemIn(block, anchor), position), markdown, anchor);
}

export function draftInsertAt(
  store: InMemoryStore,
  document: StoredDocument,
  position: StoredPosition,
  markdown: string,
  anchor: string,
): Draft {
  const blocks = position.at === 'items' ? itemsOfText(store, markdown) : store.parseGiven(markdown);
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    names: [anchor],
    operations: blocks.map((block) =>
      operation('insert', block.id, block.type, null, block.markdown, { position: { after: shownPosition(document, position) } }),
    ),
    run: (accepted) => {
      const kept = acceptedInserts(blocks, accepted);
      putAt(document, position, kept);
      return { documentId: document.id, blockIds: kept.map(({ id }) => id) };
    },
  };
}

export function draftEdit(store: InMemoryStore, request: RequestOf<'planEdit'>): Draft {
  const { document, block } = store.locate(request.id);
  if (block === undefined) throw new ToolError('bad_id', `${request.id} is a document`, 'edit one of its blocks');
  const item = itemIn(block, request.id);
  const target = (item ?? block).markdown;
  if (hashOf(target) !== request.expectHash) {
    throw new ToolError('stale', `block ${request.id} has changed since it was read`, 'read the document again and use the new hash');
  }
  const after = 'markdown' in request ? request.markdown : request.edits.reduce(replaceOnce, target);
  const given = store.parseGiven(after);
  if (item !== undefined && 'markdown' in request && given.some(({ type }) => type !== 'l')) {
    throw new ToolError('not_markdown_safe', 'a list item stays a list item', 'write it as a list, beginning with "- "');
  }
  const [first, ...rest] = item === undefined ? given : itemsOfText(store, after);
  if (first === undefined) throw new Error('text that is not empty makes a block');
  const lost = item === undefined ? removals(store, block, first.markdown) : {};
  const update = operation('update', request.id, first.type, target, first.markdown, lost);
  const inserts = rest.map((each) => operation('insert', each.id, each.type, null, each.markdown));
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    names: [request.id],
    operations: after === target ? [] : [update, ...inserts],
    run: (accepted) => {
      const current = document.blocks.find(({ id }) => id === block.id);
      if (current === undefined) throw stale();
      if (accepted.has(update.id)) replaceBlock(document, edited(store, current, item, first.markdown));
      const kept = acceptedInserts(rest, accepted);
      putAt(document, positionFor(current, item, 'after'), kept);
      return { documentId: document.id, blockIds: [...(accepted.has(update.id) ? [request.id] : []), ...kept.map(({ id }) => id)] };
    },
  };
}

/** With another text; an item that is edited takes its new words, and what is below it stays. */
function edited(store: InMemoryStore, block: StoredBlock, item: StoredItem | undefined, text: string): StoredBlock {
  if (item === undefined) return relisted(store, block, text);
  const items = block.items?.map((each) => (each.id === item.id ? { ...each, markdown: text, hash: hashOf(text) } : each)) ?? [];
  return withItems(block, items);
}

function replaceOnce(text: string, edit: { readonly old: string; readonly new: string }): string {
  const count = text.split(edit.old).length - 1;
  if (count === 0) throw new ToolError('no_match', `"${edit.old.slice(0, 60)}" is not in the block`, 'copy old exactly from the text');
  if (count > 1) throw new ToolError('many_matches', `"${edit.old.slice(0, 60)}" occurs ${count} times`, 'take more text into old');
  if (edit.old === edit.new) throw new ToolError('no_match', 'old and new are the same', 'give the text that is to change');
  return text.replace(edit.old, () => edit.new);
}

export function draftDelete(store: InMemoryStore, { ids }: RequestOf<'planDeleteBlocks'>): Draft {
  const going = [...new Set(ids)].map((id) => store.locate(id));
  const [first] = going;
  const blocks = going.flatMap(({ block }) => block ?? []);
  if (first === undefined || blocks.length < going.length) throw new ToolError('bad_id', 'these are no blocks', 'give ids of blocks');
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    operations: blocks.map(({ id, type, markdown }) => operation('delete', id, type, markdown, null)),
    run: (accepted) => {
      const gone = blocks.filter(({ id }) => accepted.has(`delete-${id}`));
      first.document.blocks = first.document.blocks.filter(({ id }) => !gone.some((block) => block.id === id));
      return { documentId: first.document.id, blockIds: gone.map(({ id }) => id) };
    },
  };
}
