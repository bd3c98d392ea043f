import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../journal/write-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import { type RemovalDeps, removeCreated } from './undo.ts';

const { signal } = new AbortController();
const id = '20260101000000-created';
const entry = { document: { id, path: '/Solar', created: { parents: [], baseline: [] } }, operations: [] } as unknown as JournalEntry;

/** A kernel that does not find the document, and says of its path what is given. */
const without = (said: string): RemovalDeps =>
  ({
    routes: {
      blockInfo: () => Promise.reject(new KernelRefusal('/api/block/getBlockInfo', 3, 'Data indexing is in progress')),
      pathOf: () => Promise.reject(new KernelRefusal('/api/filetree/getHPathByID', -1, said)),
    },
  }) as unknown as RemovalDeps;

describe('a document that was created and is not found', () => {
  it('is gone where the index is complete', async () => {
    expect(await removeCreated(without('tree not found'), entry, signal)).toEqual([]);
  });

  it('is not taken for gone while SiYuan indexes its notebook, so that its Undo stays', async () => {
    await expect(removeCreated(without('indexing'), entry, signal)).rejects.toMatchObject({
      code: 'kernel_refused',
      message: 'SiYuan is still indexing',
    });
  });
});
