import { expect, it } from 'vitest';
import { onNotebooks, type PushSource, type TransactionsPush } from './transaction-log.ts';

it('hears of notebooks that come, go or get another name or right, and of nothing else, until it is stopped', () => {
  let command: (name: string) => void = () => undefined;
  let transactions: (push: TransactionsPush) => void = () => undefined;
  const pushes: PushSource = {
    onCommand(listener) {
      command = listener;
      return () => (command = () => undefined);
    },
    onTransactions(listener) {
      transactions = listener;
      return () => (transactions = () => undefined);
    },
  };
  let heard = 0;
  const stop = onNotebooks(
    pushes,
    (id) => id === 'notebook',
    () => (heard += 1),
  );
  const tell = (): void => {
    for (const name of ['createnotebook', 'renamenotebook', 'removeBox', 'mount', 'unmount', 'transactions', 'reloaddoc']) command(name);
    for (const id of ['notebook', 'a block']) transactions({ session: 's', blockIds: [id] });
  };
  tell();
  expect(heard).toBe(6);
  stop();
  tell();
  expect(heard).toBe(6);
});
