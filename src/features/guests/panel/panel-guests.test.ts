import { afterEach, describe, expect, it } from 'vitest';
import type { Guests } from '../guests.ts';
import { panelGuests } from './panel-guests.ts';

const AGENT = { name: 'opencode', command: 'opencode', args: ['acp'], env: {} };

function onDesktop(): void {
  Reflect.set(globalThis, 'require', () => undefined);
  Object.defineProperty(process.versions, 'electron', { value: '30', configurable: true });
}
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'require');
  Reflect.deleteProperty(process.versions, 'electron');
});

function open(kept?: string) {
  let text = kept;
  let changes = 0;
  const ended = new AbortController();
  const seen = { lists: [] as unknown[], closed: [] as number[] };
  const guests = panelGuests({
    store: {
      get: () => text,
      set: (now) => {
        text = now;
      },
    },
    newId: () => 'new',
    onChange: () => {
      changes += 1;
    },
    load: async () => (list) =>
      ({ model: () => seen.lists.push(list()), close: async () => void seen.closed.push(1) }) as unknown as Guests,
    signal: ended.signal,
  });
  return { guests, seen, ended, changes: () => changes, text: () => text };
}

describe('agents of this device', () => {
  it('are not there where no programs run', () => {
    expect(open().guests).toBeUndefined();
  });

  it('are kept, changed and removed, and each change is told', () => {
    onDesktop();
    const { guests, changes, text } = open();
    guests?.port.save({ id: null, ...AGENT });
    expect(guests?.port.list()).toEqual([{ id: 'agent-new', ...AGENT }]);
    guests?.port.save({ id: 'agent-new', ...AGENT, name: 'Other' });
    expect(guests?.models.list().map(({ name }) => name)).toEqual(['Other']);
    expect(() => guests?.port.save({ id: null, ...AGENT, command: ' ' })).toThrow('this is no agent');
    guests?.port.remove('agent-new');
    expect([guests?.port.list(), text(), changes()]).toEqual([[], '[]', 3]);
  });

  it('of damaged text are none, and of a list those that are whole', () => {
    onDesktop();
    expect(open('{').guests?.port.list()).toEqual([]);
    expect(open('{"a":1}').guests?.port.list()).toEqual([]);
    expect(open(JSON.stringify([{ id: 'x' }, { id: 'a', name: 'A', command: 'a' }])).guests?.port.list()).toEqual([
      { id: 'a', name: 'A', command: 'a', args: [], env: {} },
    ]);
  });

  it('are loaded when one is asked, and end with the panel', async () => {
    onDesktop();
    const { guests, seen, ended } = open();
    ended.signal.addEventListener('abort', () => undefined);
    await guests?.models.model('a');
    expect([seen.lists, seen.closed]).toEqual([[[]], []]);
    ended.abort();
    await expect.poll(() => seen.closed).toEqual([1]);
  });
});
