import { afterEach, expect, it, vi } from 'vitest';
import type { PushSource, TransactionsPush } from '../host/kernel/transaction-log.ts';
import type { NoteContents } from '../tools/contract/note-queries.ts';
import { followContents } from './follow-contents.ts';
import { backgroundList } from './workspace/background-list.ts';

afterEach(() => void vi.useRealTimers());

it('looks again when something of a kind that was not there is pushed, and not while nothing new can be', async () => {
  vi.useFakeTimers();
  let push: (push: TransactionsPush) => void = () => undefined;
  let command: (command: string) => void = () => undefined;
  const pushes: PushSource = {
    onTransactions: (listener) => {
      push = listener;
      return () => undefined;
    },
    onCommand: (listener) => {
      command = listener;
      return () => undefined;
    },
  };
  let there: readonly NoteContents[] = [];
  const contents = vi.fn(async () => there);
  const closing = new AbortController();
  const list = backgroundList({ read: contents, rights: { subscribe: () => undefined }, signal: closing.signal });
  followContents(list, pushes, closing.signal);
  const heard = async (data: string, more: object = {}): Promise<number> => {
    const operation = { action: 'insert', id: 'b', data, previousID: '', parentID: '', ...more };
    push({ session: 's', blockIds: ['b'], operations: [operation] });
    await vi.runAllTimersAsync();
    return contents.mock.calls.length;
  };
  expect(await heard('<div data-type="NodeParagraph">Words</div>')).toBe(0);
  there = ['databases'];
  expect(await heard('<div data-type="NodeAttributeView"></div>')).toBe(1);
  expect(list.current()).toEqual(['databases']);
  expect(await heard('<div data-type="NodeAttributeView"></div>')).toBe(1);
  expect(await heard('', { action: 'updateAttrs', attributes: { 'custom-riff-decks': 'd' } })).toBe(2);
  expect(await heard('<img src="assets/a.png">')).toBe(3);
  command('statusbar');
  command('syncMergeResult');
  await vi.runAllTimersAsync();
  expect(contents).toHaveBeenCalledTimes(4);
  closing.abort();
  expect(await heard('<img src="assets/b.png">')).toBe(4);
});
