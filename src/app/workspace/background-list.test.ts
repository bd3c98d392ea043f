import { expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { backgroundList } from './background-list.ts';

const { signal } = new AbortController();

it('is empty while it is read again, and never the answer to an earlier question that came later', async () => {
  const answers: ((list: readonly string[]) => void)[] = [];
  const rights = new Listeners<[]>();
  const subscribed = { subscribe: (listener: () => void) => rights.add(listener) };
  const list = backgroundList<string>({ read: () => new Promise((resolve) => answers.push(resolve)), rights: subscribed, signal });
  expect(list.current()).toEqual([]);
  const [first, second] = [list.refresh(), list.refresh()];
  answers[1]?.(['English']);
  answers[0]?.(['English', 'Korean']);
  await Promise.all([first, second]);
  expect(list.current()).toEqual(['English']);
  rights.call();
  expect(list.current()).toEqual([]);
  answers[2]?.(['Chinese']);
  await expect.poll(() => list.current()).toEqual(['Chinese']);
});

it('is empty where the notes cannot be asked', async () => {
  const refuse = () => Promise.reject(new ToolError('kernel_unreachable', 'gone', 'wait'));
  const list = backgroundList<string>({ read: refuse, rights: { subscribe: () => undefined }, signal });
  await list.refresh();
  expect(list.current()).toEqual([]);
});

it('ends without a word when the panel goes while it is read', async () => {
  const closing = new AbortController();
  const list = backgroundList<string>({
    read: (asked) => new Promise((_, reject) => asked.addEventListener('abort', () => reject(asked.reason))),
    rights: { subscribe: () => undefined },
    signal: closing.signal,
  });
  const looking = list.refresh();
  closing.abort();
  await expect(looking).resolves.toBeUndefined();
});

it('counts as it is remembered until it is read again, remembers that, and says when it is another one', async () => {
  let remembered: readonly string[] = ['databases'];
  const memory = {
    get: () => remembered,
    set(now: readonly string[]): void {
      remembered = now;
    },
  };
  let found = ['databases'];
  const rights = new Listeners<[]>();
  const list = backgroundList<string>({ read: async () => found, rights: { subscribe: (each) => rights.add(each) }, signal, memory });
  let changes = 0;
  const stop = list.subscribe(() => void changes++);
  expect(list.current()).toEqual(['databases']);
  await list.refresh();
  expect(changes).toBe(0);
  found = ['databases', 'flashcards'];
  rights.call();
  // A turn that runs keeps its tools meanwhile.
  expect(list.current()).toEqual(['databases']);
  await expect.poll(() => list.current()).toEqual(found);
  expect([remembered, changes]).toEqual([found, 1]);
  stop();
});
