// A database as a person makes one in SiYuan, for browser tests.
import type { TestApp } from './app.ts';
import type { TestNote } from './notes.ts';

let made = 0;

/** An id of SiYuan's form that is free. */
function freshId(): string {
  const time = new Date()
    .toISOString()
    .replaceAll(/[^0-9]/gu, '')
    .slice(0, 14);
  made += 1;
  return `${time}-${made.toString(36).padStart(7, 'd')}`;
}

/** Appends an empty table to a note; returns its block and the database. */
export async function databaseIn(
  app: Pick<TestApp, 'kernel'>,
  note: Pick<TestNote, 'blocks'>,
): Promise<{ readonly block: string; readonly database: string }> {
  const [block, database] = [freshId(), freshId()];
  const data = `<div data-node-id="${block}" data-type="NodeAttributeView" class="av" data-av-id="${database}" data-av-type="table"></div>`;
  const insert = { action: 'insert', id: block, data, previousID: note.blocks.at(-1) };
  const transactions = [{ doOperations: [insert], undoOperations: [{ action: 'delete', id: block }] }];
  await app.kernel('/api/transactions', { app: 'test', session: 'test', reqId: 1, transactions });
  await app.kernel('/api/av/renderAttributeView', { id: database, blockID: block, createIfNotExist: true });
  await app.kernel('/api/sqlite/flushTransaction', {});
  return { block, database };
}
