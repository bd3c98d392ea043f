import { expect, it } from 'vitest';
import { NEVER } from '../../tools/util/abort.ts';
import { referenceNotices } from './block-losses.ts';
import type { IndexedBlock } from './readable-blocks.ts';

it('asks for blocks that refer to what goes once the index has been flushed', async () => {
  const asked: string[] = [];
  const routes = {
    flushIndex: async () => void asked.push('flush'),
    sql: async () => {
      asked.push('sql');
      return [{ block_id: 'referring' }];
    },
  };
  const place: IndexedBlock = {
    id: 'referring',
    notebook: 'n',
    documentId: 'd',
    path: '/d.sy',
    wordPath: '/D',
    type: 'p',
    updated: '',
    readable: true,
    isTwofold: false,
  };
  const access = { look: async () => new Map([[place.id, place]]) };
  expect(await referenceNotices({ routes, access }, ['SELECT'], new Set(), NEVER)).toEqual([{ code: 'references-lost', count: 1 }]);
  expect(asked).toEqual(['flush', 'sql']);
});
