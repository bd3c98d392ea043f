import { expect, it } from 'vitest';
import { ClosedNotebooks } from './closed-notebook.ts';

const signal = new AbortController().signal;
const entry = { notebook: 'book', document: { id: 'doc', path: '/Doc', created: null } };

it('asks for the notebooks once for many notes, again after a second, and after a step of notebooks', async () => {
  let asked = 0;
  let now = 0;
  let closed = false;
  const notebooks = async () => {
    asked += 1;
    return [{ id: 'book', name: 'Book', closed, encrypted: false }];
  };
  const known = new ClosedNotebooks({ routes: { notebooks }, clock: { now: () => now } });
  for (let note = 0; note < 100; note++) expect(await known.left(entry, ['a'], signal)).toEqual([]);
  expect(asked).toBe(1);

  closed = true;
  now = 1000;
  const gone = [{ code: 'notebook-gone' }];
  expect(await known.left(entry, ['a', 'b'], signal)).toEqual([
    { blockId: 'a', reasons: gone },
    { blockId: 'b', reasons: gone },
  ]);
  expect(asked).toBe(2);

  closed = false;
  expect(await known.left({ ...entry, structure: { steps: [] } }, [], signal)).toEqual([]);
  expect(await known.left(entry, [], signal)).toEqual([]);
  expect(asked).toBe(3);
});
