import { ToolError } from '../contract/errors.ts';
import type { NotePlanner } from '../contract/note-planner.ts';
import type { NotesPort } from '../contract/ports.ts';
import { acceptedInserts, type Draft, notice, operation, requireIds, requireOneNotebook, shownDocument } from './in-memory-drafts.ts';
import { hashOf, itemsWithout, type StoredBlock, type StoredItem, withItems } from './in-memory-markdown.ts';
import {
  indexAt,
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
import { referringElsewhere } from './in-memory-queries.ts';
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

/** Blocks and items by id, each once, in the given order; documents are refused. */
function requireBlocks(store: InMemoryStore, given: readonly string[]) {
  return requireIds(given).map((id) => {
    const { document, block } = store.locate(id);
    if (block === undefined) throw new ToolError('bad_id', `${id} is a document`, 'use organize_doc or delete_doc for documents');
    return { id, document, block, item: itemIn(block, id) };
  });
}

function movePosition(
  store: InMemoryStore,
  target: RequestOf<'planMoveBlocks'>['target'],
): { readonly document: StoredDocument; readonly position: StoredPosition } {
  const id = 'parent' in target ? target.parent : target.after;
  const { document, block } = store.locate(id);
  if ('after' in target) {
    if (block === undefined)
      throw new ToolError('bad_target', 'nothing can be placed after a document', 'give the document as parent instead');
    if (block.id !== id) throw new ToolError('bad_target', 'a list contains only list items', 'choose a place outside of the list');
    return { document, position: { at: 'after', id } };
  }
  if (block === undefined) return { document, position: { at: 'end' } };
  if (block.type === 'h') return { document, position: { at: 'section-end', id } };
  throw new ToolError('bad_target', `${id} cannot contain these blocks`, 'give a document or heading as parent, or a block as after');
}

export function draftMove(store: InMemoryStore, { ids, target }: RequestOf<'planMoveBlocks'>): Draft {
  const targetId = 'parent' in target ? target.parent : target.after;
  if (ids.includes(targetId)) throw new ToolError('bad_target', 'a block cannot be moved to itself', 'choose another place');
  const moving = requireBlocks(store, ids);
  const { document: home, position } = movePosition(store, target);
  requireOneNotebook([...moving.map(({ document }) => document), home]);
  if (moving.some(({ item }) => item !== undefined))
    throw new ToolError('bad_target', 'a list item fits only into a list', 'take the whole list');
  if (position.at === 'items') throw new Error('blocks are not moved among items');
  const arranged = (kept: readonly StoredBlock[]): readonly StoredBlock[] => {
    const rest = home.blocks.filter((block) => !kept.some(({ id }) => id === block.id));
    const index = indexAt(rest, position);
    return [...rest.slice(0, index), ...kept, ...rest.slice(index)];
  };
  const wanted = arranged(moving.map(({ block }) => block));
  if (wanted.map(({ id }) => id).join() === home.blocks.map(({ id }) => id).join()) {
    throw new ToolError('no_change', 'the blocks are already there', 'leave them as they are');
  }
  return {
    notebook: home.notebook,
    document: shownDocument(home),
    names: [targetId],
    operations: moving.map(({ document, block }) => {
      const extras = {
        position: { before: { path: [document.title] }, after: shownPosition(home, position) },
        document: shownDocument(document),
      };
      return operation('move', block.id, block.type, block.markdown, block.markdown, extras);
    }),
    run: (accepted) => {
      const kept = moving.filter(({ id }) => accepted.has(`move-${id}`));
      const blocks = kept.flatMap(({ id, document }) => document.blocks.find((block) => block.id === id) ?? []);
      const after = arranged(blocks);
      for (const document of new Set(kept.map((each) => each.document))) {
        if (document !== home) document.blocks = document.blocks.filter((block) => !blocks.includes(block));
      }
      home.blocks = after;
      return { documentId: home.id, blockIds: blocks.map(({ id }) => id) };
    },
  };
}

export function draftDelete(store: InMemoryStore, { ids }: RequestOf<'planDeleteBlocks'>): Draft {
  const going = requireBlocks(store, ids);
  const [first] = going;
  if (first === undefined) throw new Error('ids were checked');
  requireOneNotebook(going.map(({ document }) => document));
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    operations: going.map(({ id, document, block, item }) => {
      const { type, markdown } = item === undefined ? block : { type: 'i', markdown: item.markdown };
      return operation('delete', id, type, markdown, null, { document: shownDocument(document) });
    }),
    notices: notice('references-lost', referringElsewhere(store, ids)),
    run: (accepted) => {
      const kept = going.filter(({ id }) => accepted.has(`delete-${id}`));
      for (const { id, document, block, item } of kept) {
        const list = item && document.blocks.find((each) => each.id === block.id);
        const left = list && item ? itemsWithout(list, item) : [];
        if (list && left.length > 0) replaceBlock(document, withItems(list, left));
        else document.blocks = document.blocks.filter((each) => each.id !== (item ? block.id : id));
      }
      return { documentId: first.document.id, blockIds: kept.map(({ id }) => id) };
    },
  };
}
