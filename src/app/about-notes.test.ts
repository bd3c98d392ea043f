import { afterEach, expect, it, vi } from 'vitest';
import type { PushSource, TransactionsPush } from '../host/kernel/transaction-log.ts';
import type { NoteContents } from '../tools/contract/note-queries.ts';
import { aboutNotes } from './about-notes.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('looks again when something of a kind that was not there is pushed, and not while nothing new can be', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { siyuan: { config: { system: { workspaceDir: '/w' } } } });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
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
  const notes = { notes: { contents, languages: async () => [] } } as never;
  const closing = new AbortController();
  const about = aboutNotes(
    notes,
    { get: () => ({ notebooks: {} }) } as never,
    { subscribe: () => undefined } as never,
    pushes,
    closing.signal,
  );
  const heard = async (data: string, more: object = {}): Promise<number> => {
    const operation = { action: 'insert', id: 'b', data, previousID: '', parentID: '', ...more };
    push({ session: 's', blockIds: ['b'], operations: [operation] });
    await vi.runAllTimersAsync();
    return contents.mock.calls.length;
  };
  expect(await heard('<div data-type="NodeParagraph">Words</div>')).toBe(0);
  there = ['databases'];
  expect(await heard('<div data-type="NodeAttributeView"></div>')).toBe(1);
  expect(about.forTools.contents()).toEqual(['databases']);
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
