import { ToolError } from '../contract/errors.ts';
import type { NotePlanner } from '../contract/note-planner.ts';
import type { NotesPort } from '../contract/ports.ts';
import { acceptedInserts, type Draft, notice, operation, pathInWords, shownDocument } from './in-memory-drafts.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import { hashOf, parseBlock } from './in-memory-markdown.ts';
import { referringElsewhere } from './in-memory-queries.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

type RequestOf<Name extends 'planInsert' | 'planEdit' | keyof NotePlanner> = Parameters<NotesPort[Name]>[0];

export function draftInsert(store: InMemoryStore, { anchor, position, markdown }: RequestOf<'planInsert'>): Draft {
  const { document, block } = store.locate(anchor);
  const at = block === undefined ? -1 : document.blocks.indexOf(block);
  if (at < 0 && (position === 'before' || position === 'after')) {
    throw new ToolError('bad_id', 'a document has no place before or after it', 'use prepend or append with a document, or a block id');
  }
  const index = at < 0 ? (position === 'prepend' ? 0 : document.blocks.length) : position === 'before' ? at : at + 1;
  return draftInsertAt(store, document, index, markdown);
}

export function draftInsertAt(store: InMemoryStore, document: StoredDocument, index: number, markdown: string): Draft {
  const blocks = store.parseGiven(markdown);
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    operations: blocks.map((block) => operation('insert', block.id, block.type, null, block.markdown)),
    run: (accepted) => {
      const kept = acceptedInserts(blocks, accepted);
      document.blocks = [...document.blocks.slice(0, index), ...kept, ...document.blocks.slice(index)];
      return { documentId: document.id, blockIds: kept.map(({ id }) => id) };
    },
  };
}

export function draftEdit(store: InMemoryStore, request: RequestOf<'planEdit'>): Draft {
  const { document, block } = store.locate(request.id);
  if (block === undefined) throw new ToolError('bad_id', `${request.id} is a document`, 'edit one of its blocks');
  const target = textOf(block, request.id);
  requireFresh(request.id, target, request.expectHash);
  const after = 'markdown' in request ? request.markdown : request.edits.reduce(replaceOnce, target);
  store.parseGiven(after);
  const type = block.id === request.id ? block.type : 'i';
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    operations: after === target ? [] : [operation('update', request.id, type, target, after)],
    run: () => {
      const current = document.blocks.find(({ id }) => id === block.id);
      if (current !== undefined) requireFresh(request.id, textOf(current, request.id), request.expectHash);
      document.blocks = document.blocks.map((entry) => (entry.id === block.id ? withText(store, entry, request.id, after) : entry));
      return { documentId: document.id, blockIds: [request.id] };
    },
  };
}

/** Of a list item its first line. */
function textOf(block: StoredBlock, id: string): string {
  return block.id === id ? block.markdown : (block.items?.find((item) => item.id === id)?.markdown ?? '');
}

/** A whole list gets new items; an item that is edited keeps its id. */
function withText(store: InMemoryStore, block: StoredBlock, id: string, text: string): StoredBlock {
  const parsed = parseBlock(text);
  if (block.id === id) return { id, ...parsed, ...store.itemsIn(parsed) };
  const items = block.items?.map((item) => (item.id === id ? { ...item, markdown: text, hash: hashOf(text) } : item)) ?? [];
  return { ...block, markdown: block.markdown.replace(textOf(block, id), () => text), items };
}

function requireFresh(id: string, text: string, expectHash: string): void {
  if (hashOf(text) === expectHash) return;
  throw new ToolError('stale', `block ${id} has changed since it was read`, 'read the document again and use the new hash');
}

function replaceOnce(text: string, edit: { readonly old: string; readonly new: string }): string {
  const count = text.split(edit.old).length - 1;
  if (count === 1) return text.replace(edit.old, () => edit.new);
  if (count === 0) throw new ToolError('no_match', `"${edit.old.slice(0, 60)}" is not in the block`, 'copy old exactly from the text');
  throw new ToolError('many_matches', `"${edit.old.slice(0, 60)}" occurs ${count} times`, 'take more text into old');
}

/** Blocks by id, in the given order; documents and list items are refused. */
function requireBlocks(store: InMemoryStore, ids: readonly string[]) {
  return ids.map((id) => {
    const { document, block } = store.locate(id);
    if (block === undefined) throw new ToolError('bad_id', `${id} is a document`, 'use organize_doc or delete_doc for documents');
    if (block.id !== id) throw new ToolError('bad_target', `${id} is a list item`, 'take the whole list');
    return { document, block };
  });
}

function without(document: StoredDocument, ids: ReadonlySet<string>): void {
  if (document.blocks.some(({ id }) => ids.has(id))) document.blocks = document.blocks.filter(({ id }) => !ids.has(id));
}

export function draftMove(store: InMemoryStore, { ids, target }: RequestOf<'planMoveBlocks'>): Draft {
  const moving = requireBlocks(store, ids);
  const place = store.locate('parent' in target ? target.parent : target.after);
  if ('parent' in target && place.block !== undefined) {
    throw new ToolError('bad_target', `${target.parent} holds no blocks`, 'give a document as parent, or a block as after');
  }
  if (place.block !== undefined && ids.includes(place.block.id)) {
    throw new ToolError('bad_target', 'a block cannot be placed after itself', 'choose another block as after');
  }
  const to = pathInWords(store, place.document);
  return {
    notebook: place.document.notebook,
    document: shownDocument(place.document),
    operations: moving.map(({ document, block }) => {
      const extras = { from: pathInWords(store, document), to, document: shownDocument(document) };
      return operation('move', block.id, block.type, block.markdown, block.markdown, extras);
    }),
    run: (accepted) => {
      const kept = moving.map(({ block }) => block).filter(({ id }) => accepted.has(`move-${id}`));
      const gone = new Set(kept.map(({ id }) => id));
      for (const { document } of moving) without(document, gone);
      const rest = place.document.blocks;
      const index = place.block === undefined ? rest.length : rest.findIndex(({ id }) => id === place.block?.id) + 1;
      place.document.blocks = [...rest.slice(0, index), ...kept, ...rest.slice(index)];
      return { documentId: place.document.id, blockIds: kept.map(({ id }) => id) };
    },
  };
}

export function draftDelete(store: InMemoryStore, { ids }: RequestOf<'planDeleteBlocks'>): Draft {
  const going = requireBlocks(store, ids);
  const [first] = going;
  if (first === undefined) throw new ToolError('bad_arguments', 'no ids are given', 'give the ids of the blocks');
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    operations: going.map(({ document, block }) =>
      operation('delete', block.id, block.type, block.markdown, null, { document: shownDocument(document) }),
    ),
    notices: notice('references-lost', referringElsewhere(store, ids)),
    run: (accepted) => {
      const gone = new Set(ids.filter((id) => accepted.has(`delete-${id}`)));
      for (const { document } of going) without(document, gone);
      return { documentId: first.document.id, blockIds: [...gone] };
    },
  };
}

const PROTECTED = /^(?:id|updated|custom-marginalia-.*|custom-ai-access|custom-avs|custom-riff-decks)$/u;
const ALLOWED = /^(?:name|alias|memo|bookmark|title|icon|custom-[a-z][a-z0-9-]*)$/u;

export function draftAttributes(store: InMemoryStore, { ids, attrs }: RequestOf<'planAttributes'>): Draft {
  const given = Object.entries(attrs).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name] of given) {
    if (PROTECTED.test(name)) throw new ToolError('protected_attribute', `${name} may not be set`, 'leave it as it is');
    if (!ALLOWED.test(name)) throw new ToolError('bad_arguments', `${name} is not an attribute name`, 'begin your own names with custom-');
  }
  const places = ids.map((id) => ({ id, ...store.locate(id) }));
  const [first] = places;
  if (first === undefined) throw new ToolError('bad_arguments', 'no ids are given', 'give the ids of the blocks');
  const lines = (values: Readonly<Record<string, string>>) => given.map(([name]) => `${name} = ${values[name] ?? ''}`).join('\n');
  const changed = places.filter(({ id }) => given.some(([name, value]) => (store.attributes.get(id)?.[name] ?? '') !== value));
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    operations: changed.map(({ id, document, block }) => {
      const extras = { document: shownDocument(document) };
      const before = lines(store.attributes.get(id) ?? {});
      return operation('set-attributes', id, block?.type ?? 'd', before, lines(Object.fromEntries(given)), extras);
    }),
    run: (accepted) => {
      const kept = changed.filter(({ id }) => accepted.has(`set-attributes-${id}`));
      for (const { id } of kept) {
        const merged = { ...store.attributes.get(id), ...Object.fromEntries(given) };
        store.attributes.set(id, Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== '')));
      }
      return { documentId: first.document.id, blockIds: kept.map(({ id }) => id) };
    },
  };
}
