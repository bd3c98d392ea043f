import { expect, it } from 'vitest';
import type { TransactionsPush } from '../../host/kernel/transaction-log.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { followNotes, readAfterChanges } from './notes-changes.ts';

function bench() {
  const transactions = new Listeners<[push: TransactionsPush]>();
  const commands = new Listeners<[command: string]>();
  const state = { now: 0, hears: true, reads: 0, fails: false, takes: 0 };
  const changes = followNotes(
    { onTransactions: (each) => transactions.add(each), onCommand: (each) => commands.add(each), hears: () => state.hears },
    () => state.now,
  );
  const read = readAfterChanges(
    changes,
    () => state.now,
    async () => {
      state.reads += 1;
      state.now += state.takes;
      return !state.fails;
    },
  );
  return {
    state,
    changes,
    read,
    write: () => transactions.call({ session: '', blockIds: [] }),
    command: (name: string) => commands.call(name),
  };
}

it('reads once, again after each change, and together for those who ask together', async () => {
  const { state, read, write, command, changes } = bench();
  await Promise.all([read(), read()]);
  await read();
  expect(state.reads).toBe(1);
  for (const change of [write, () => command('reloadFiletree'), () => command(''), changes.note]) {
    const before = state.reads;
    change();
    await read();
    await read();
    expect(state.reads).toBe(before + 1);
  }
  command('statusbar');
  await read();
  expect(state.reads).toBe(5);
});

it('reads again after a failure', async () => {
  const { state, read } = bench();
  state.fails = true;
  await read();
  state.fails = false;
  await read();
  await read();
  expect(state.reads).toBe(2);
});

it('reads once a minute where no push is received', async () => {
  const { state, read } = bench();
  state.hears = false;
  await read();
  state.now += 59_000;
  await read();
  expect(state.reads).toBe(1);
  state.now += 2_000;
  await read();
  expect(state.reads).toBe(2);
});

it('reads a large workspace less often', async () => {
  const { state, read, write } = bench();
  state.takes = 600;
  await read();
  write();
  await read();
  expect(state.reads).toBe(1);
  state.now += 12_000;
  await read();
  expect(state.reads).toBe(2);
});
