import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WrittenKind, WrittenScope } from '../../src/features/provenance/provenance-port.ts';
import { WrittenBlocks } from '../../src/features/provenance/written-blocks.ts';
import { hashOfBlock, hashOfContent } from '../../src/host/blocks/block-hash.ts';
import { runCount } from '../support/property-runs.ts';
import { origin, signal, steady, useBench } from './support.ts';

const bench = useBench('write');
const written = () =>
  new WrittenBlocks({ routes: bench.host.routes, journal: bench.host.journal, now: () => 1_800_000_000_000, contentHash: hashOfContent });
type Kind = Exclude<WrittenKind, 'outdated'>;
const ANY: WrittenScope = { chat: '', notebook: '' };
const list = async (kind: Kind, scope = ANY) => (await written().list(kind, scope, null, signal)).blocks;
const ids = async (kind: Kind) => (await list(kind)).map(({ id }) => id);
/** As an editor writes what a person types: the block's own DOM, with its attributes. */
async function hand(id: string, text: string): Promise<void> {
  const dom = await bench.dom(id);
  await bench.transact([{ action: 'update', id, data: dom.replace(/(spellcheck="[^"]*">)[^<]*/, `$1${text}`) }]);
}

async function edit(id: string, before: string, after: string, nodeId: string): Promise<void> {
  const { hash } = await bench.host.readBlock(id, signal);
  const plan = await bench.host.notes.planEdit({ id, expectHash: hash, edits: [{ old: before, new: after }] }, 'edit_block', signal);
  await bench.apply(plan, undefined, { ...origin, nodeId });
}

async function insert(anchor: string, markdown: string, nodeId: string, sessionId = origin.sessionId): Promise<string> {
  const plan = await bench.host.notes.planInsert({ anchor, position: 'after', markdown }, 'insert_blocks', signal);
  return (await bench.apply(plan, undefined, { ...origin, sessionId, nodeId })).blockIds[0] ?? '';
}

const KINDS = ['add', 'edit', 'hand', 'move', 'read', 'undo'] as const;

/** What is true of a block: whether a model wrote it, and what happened since. */
interface Truth {
  readonly isWritten: boolean;
  readonly isChanged: boolean;
  readonly isRead: boolean;
}
const BY_HAND: Truth = { isWritten: false, isChanged: false, isRead: false };
const BY_MODEL: Truth = { isWritten: true, isChanged: false, isRead: false };

/** What a model and a person do to one note, and what is known of its blocks then. */
class History {
  readonly known = new Map<string, Truth>();
  private readonly doc: string;
  private count = 0;
  /** The last write, if Undo brings back exactly what was there; `was` is undefined for a new block. */
  private last: { readonly node: string; readonly id: string; readonly was: Truth | undefined } | undefined;

  constructor(doc: string) {
    this.doc = doc;
  }

  wanted(): unknown[] {
    return [...this.known].flatMap(([id, { isWritten, isRead, isChanged }]) => (isWritten ? [[id, isRead, isChanged]] : [])).sort();
  }

  async take(kind: (typeof KINDS)[number], at: number): Promise<void> {
    const present = await bench.blocks(this.doc);
    const id = present[at % present.length] ?? '';
    const was = this.known.get(id) ?? BY_HAND;
    this.count += 1;
    const node = `any-${this.doc}-${this.count}`;
    const left = present.filter((each) => each !== id);
    if (kind === 'add') this.wrote(node, await insert(id, `new ${this.count}`, node), undefined);
    if (kind === 'edit') {
      await edit(id, (await bench.host.readBlock(id, signal)).markdown, `model ${this.count}`, node);
      this.wrote(node, id, was);
    }
    if (kind === 'hand') {
      await hand(id, `hand ${this.count}`);
      this.known.set(id, { ...was, isChanged: was.isWritten });
      if (this.last?.id === id) this.last = undefined;
    }
    if (kind === 'move') await bench.api('/api/block/moveBlock', { id, previousID: left[0] ?? '', parentID: this.doc });
    if (kind === 'read' && was.isWritten) {
      await written().markRead([id], signal);
      this.known.set(id, { ...was, isRead: true });
    }
    if (kind === 'undo' && this.last) await this.undo(this.last);
  }

  private wrote(node: string, id: string, was: Truth | undefined): void {
    this.known.set(id, BY_MODEL);
    this.last = { node, id, was };
  }

  private async undo({ node, id, was }: { readonly node: string; readonly id: string; readonly was: Truth | undefined }): Promise<void> {
    await bench.host.history.undo(origin.sessionId, node, signal);
    if (was) this.known.set(id, was);
    else this.known.delete(id);
    this.last = undefined;
  }
}

describe('blocks that a model wrote', () => {
  it('are listed with their call, whether all of it is new, what was changed by hand since, and who has read it', async () => {
    const doc = await bench.document('/Written/One', 'mine\n\nours to edit');
    const [mine = '', ours = ''] = await bench.blocks(doc);
    const added = await insert(mine, 'all new', 'w1');
    await edit(ours, 'edit', 'mend', 'w2');
    const call = { sessionId: origin.sessionId, callId: origin.callId };
    const at = await list('all');
    expect(at.find(({ id }) => id === added)).toMatchObject({
      ...{ noteId: doc, path: '/Written/One', text: 'all new', call: { ...call, messageId: 'w1' }, isRead: false },
      write: { isNew: true, isChanged: false },
    });
    expect(at.find(({ id }) => id === ours)).toMatchObject({
      call: { ...call, messageId: 'w2' },
      write: { isNew: false, isChanged: false },
    });
    expect(at.map(({ id }) => id)).not.toContain(mine);

    await hand(added, 'all new, and mine');
    expect(await ids('changed')).toEqual([added]);
    await written().markRead([ours], signal);
    expect(await ids('unread')).toEqual([added]);
    expect(await written().counts(ANY, signal)).toMatchObject({ unread: 1, all: 2 });
    expect(await written().of([mine, ours], signal)).toMatchObject([{ id: ours, isRead: true }]);
    await bench.host.history.undo(origin.sessionId, 'w2', signal);
    expect(await ids('all')).toEqual([added]);
  });

  it('are not those that a person wrote, though a tool carried it out; its record and Undo are as for any write', async () => {
    const doc = await bench.document('/Written/Form', 'mine');
    const [mine = ''] = await bench.blocks(doc);
    const plan = await bench.host.notes.planInsert({ anchor: mine, position: 'after', markdown: 'typed' }, 'insert_blocks', signal);
    const [id = ''] = (await bench.apply(plan, undefined, { ...origin, nodeId: 'form', byPerson: true })).blockIds;
    expect(await bench.dom(id)).not.toContain('custom-marginalia-source');
    const [record] = await bench.host.journal.ofMessage(origin.sessionId, 'form');
    expect(record?.entry).toMatchObject({ ...origin, nodeId: 'form' });
    expect(record?.entry).not.toHaveProperty('byPerson');
    expect((await bench.host.history.undo(origin.sessionId, 'form', signal)).conflicts).toEqual([]);
    expect(await bench.blocks(doc)).toEqual([mine]);
  });

  it('can be undone exactly after somebody has read them, and have not been read once a model wrote them again', async () => {
    const doc = await bench.document('/Written/Two', 'a first line');
    const [id = ''] = await bench.blocks(doc);
    const before = steady(await bench.dom(id));
    await edit(id, 'first', 'second', 'r1');
    const hash = hashOfBlock(await bench.dom(id));
    await written().markRead([id], signal);
    expect(hashOfBlock(await bench.dom(id))).toBe(hash);
    await edit(id, 'second', 'third', 'r2');
    expect(await written().of([id], signal)).toMatchObject([{ isRead: false }]);
    await written().markRead([id], signal);
    for (const nodeId of ['r2', 'r1']) {
      const { conflicts } = await bench.host.history.undo(origin.sessionId, nodeId, signal);
      expect(conflicts).toEqual([]);
    }
    expect(steady(await bench.dom(id))).toBe(before);
  });

  it('are paged, and a copy of one is listed without a record of its own', async () => {
    const doc = await bench.document('/Written/Three', 'start');
    const [start = ''] = await bench.blocks(doc);
    const added = await insert(start, Array.from({ length: 55 }, (_, at) => `line ${at}`).join('\n\n'), 'p1');
    const first = await written().list('all', ANY, null, signal);
    expect(first.blocks).toHaveLength(50);
    const rest = await written().list('all', ANY, first.next, signal);
    const all = [...first.blocks, ...rest.blocks].filter(({ noteId }) => noteId === doc);
    expect(new Set(all.map(({ text }) => text)).size).toBe(55);
    expect(rest.next).toBeNull();

    const copy = '20260101010101-copycop';
    const dom = (await bench.dom(added)).replaceAll(added, copy);
    await bench.transact([{ action: 'insert', id: copy, data: dom, previousID: added }]);
    expect(await written().of([copy], signal)).toMatchObject([{ id: copy, write: null }]);
  });

  it('are filtered by chat and by notebook, page by page, with counts of their own, whatever the ids look like', async () => {
    const { id: other } = (await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' })).notebook;
    bench.policy.setRight(other, 'write');
    const elsewhere = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: other, path: '/There', markdown: 'there' });
    const [there = ''] = await bench.blocks(elsewhere);
    const here = await bench.document('/Written/Filters', 'here');
    const [first = ''] = await bench.blocks(here);
    const many = Array.from({ length: 53 }, (_, at) => `line ${at}`).join('\n\n');
    await insert(first, many, 'f1', 'a_b%c');
    // What LIKE would take for the same chat, and one whose id begins like it.
    for (const chat of ['aXb-c', 'a_b%cd']) await insert(first, `of ${chat}`, 'f2', chat);
    const far = await insert(there, 'far', 'f3', 'a_b%c');

    const chat = { chat: 'a_b%c', notebook: '' };
    const one = await written().list('all', chat, null, signal);
    const two = await written().list('all', chat, one.next, signal);
    expect([one.blocks.length, two.blocks.length, two.next]).toEqual([50, 4, null]);
    expect(new Set([...one.blocks, ...two.blocks].map(({ call }) => call.sessionId))).toEqual(new Set(['a_b%c']));
    expect(await written().counts(chat, signal)).toEqual({ all: 54, unread: 54 });

    const both = { chat: 'a_b%c', notebook: other };
    expect(await list('unread', both)).toMatchObject([{ id: far, notebookId: other }]);
    await written().markRead([far], signal);
    expect(await list('unread', both)).toEqual([]);
    expect(await written().counts(both, signal)).toEqual({ all: 1, unread: 0 });
    expect(await written().counts({ chat: '', notebook: other }, signal)).toEqual({ all: 1, unread: 0 });
    expect(await written().within([first, far], both, signal)).toEqual([far]);
    const places = await written().places(signal);
    expect(places.notebooks).toContain(other);
    expect(places.chats).toEqual(expect.arrayContaining(['a_b%c', 'aXb-c', 'a_b%cd', origin.sessionId]));
  });

  it('are counted with what was just marked as read, and their chats and notebooks with what was just written, without a list before', async () => {
    const [start = ''] = await bench.blocks(await bench.document('/Written/Counted', 'start'));
    const added = await insert(start, 'counted', 'n1', 'counted-chat');
    expect((await written().places(signal)).chats).toContain('counted-chat');
    const counts = () => written().counts({ chat: 'counted-chat', notebook: '' }, signal);
    expect(await counts()).toEqual({ all: 1, unread: 1 });
    await written().markRead([added], signal);
    expect(await counts()).toEqual({ all: 1, unread: 0 });
  });

  it('are told from a person’s through any order of writes, edits and moves by hand, readings and Undo', async () => {
    const step = fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 7 }), async (steps) => {
        const history = new History(await bench.document(`/Written/Any ${crypto.randomUUID()}`, 'p0\n\np1\n\np2'));
        for (const each of steps) await history.take(each.kind, each.at);
        const found = await written().of([...history.known.keys()], signal);
        expect(found.map(({ id, isRead, write }) => [id, isRead, write?.isChanged]).sort()).toEqual(history.wanted());
      }),
      { numRuns: runCount(12, 200) },
    );
  });
});
