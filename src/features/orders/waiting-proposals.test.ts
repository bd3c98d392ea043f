import { expect, it } from 'vitest';
import type { OrderRun, Proposal } from './order-files.ts';
import { cellTarget, waitingIn } from './waiting-proposals.ts';

const proposal = (id: string, more: Partial<Proposal> = {}): Proposal => ({
  ...{ id, nodeId: 'n', tool: 'edit_block', args: { id: `b-${id}` }, before: '[]', words: id, status: 'pending' },
  ...more,
});
/** Cells of the column, by row. */
const cells = (id: string, rows: Readonly<Record<string, string>>, more: Partial<Proposal> = {}): Proposal => {
  const list = Object.entries(rows).map(([row, text]) => ({ row, values: { Claim: text } }));
  const targets = Object.keys(rows).map((row) => cellTarget(row, 'Claim'));
  return proposal(id, { tool: 'db_write', args: { id: 'd', op: 'set_cells', rows: list }, targets, ...more });
};
const run = (started: number, proposals: Proposal[], more: Partial<OrderRun> = {}): OrderRun => ({
  ...{ id: `run${started}`, order: 'o', name: 'Sort', started, why: 'event', attempt: 1, status: 'done' },
  ...{ schema: 1, proposals, ...more },
});
const ids = (...runs: OrderRun[]): readonly string[] => waitingIn(runs).map(({ proposal: { id } }) => id);

it('is the last proposal of an order for the same, whatever became of it', () => {
  const first = run(1, [cells('a', { r1: 'Old.' })]);
  expect(ids(run(2, [cells('b', { R1: 'Other.' })]), first)).toEqual(['a', 'b']);
  expect(ids(first, run(2, [cells('b', { r1: 'New.' })]), run(3, [cells('c', { r1: 'Newest.' })]))).toEqual(['c']);
  for (const status of ['approved', 'rejected', 'declined', 'dropped'] as const)
    expect(ids(run(2, [cells('b', { r1: 'New.' }, { status })]), first)).toEqual([]);
  expect(ids(run(2, [cells('b', { r1: 'New.' }, { status: 'dropped' })], { status: 'cut_off' }), first)).toEqual(['a']);
  expect(ids(run(2, [cells('b', { r1: 'New.' })], { status: 'running' }), first)).toEqual(['a']);
  expect(ids(run(2, [cells('b', { r1: 'New.' })], { order: 'other' }), first)).toEqual(['a', 'b']);
});

it('keeps what adds something, unless it is equal, and what one run proposed for the same twice', () => {
  const added = proposal('a', { tool: 'insert_blocks', args: { anchor: 'n', markdown: 'Monday.' } });
  const other = proposal('b', { tool: 'insert_blocks', args: { anchor: 'n', markdown: 'Tuesday.' } });
  expect(ids(run(1, [added]), run(2, [other]))).toEqual(['a', 'b']);
  expect(ids(run(1, [added]), run(2, [{ ...added, id: 'c', args: { markdown: 'Monday.', anchor: 'n' } }]))).toEqual(['c']);
  const twice = [proposal('d', { targets: ['update x'] }), proposal('e', { targets: ['update x'] })];
  expect(ids(run(1, twice))).toEqual(['d', 'e']);
});

it('loses the cells that a later run sets, and keeps the others', () => {
  const first = run(1, [cells('a', { r1: 'Old.', r2: 'Two.' })]);
  const [left, fresh] = waitingIn([first, run(2, [cells('b', { r1: 'New.' })])]);
  expect(left?.proposal.args.rows).toEqual([{ row: 'r2', values: { Claim: 'Two.' } }]);
  expect(fresh?.proposal.id).toBe('b');
  expect(ids(first, run(2, [cells('b', { r1: 'New.' })]), run(3, [cells('c', { r2: 'Newer.' })]))).toEqual(['b', 'c']);
});
