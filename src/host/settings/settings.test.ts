import { describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import type { SecretStore } from './device-keys.ts';
import { openSettings } from './settings.ts';

function memory(files: Record<string, string> = {}, { readOnly = false } = {}) {
  const secrets = new Map<string, string>();
  let time = 1700000000000;
  const workspace = { readOnly };
  const store: SecretStore = { get: (name) => secrets.get(name), set: (name, value) => void secrets.set(name, value) };
  return {
    files,
    secrets,
    workspace,
    open: () =>
      openSettings(
        {
          read: async (path) => files[path] ?? null,
          async write(path, text) {
            if (workspace.readOnly) throw new ToolError('read_only', 'SiYuan is in read-only mode', '');
            files[path] = text;
          },
          list: async () => Object.keys(files),
        },
        store,
        () => time++,
      ),
  };
}

describe('settings', () => {
  it('keeps the key of each search service on the device, one that was written into the file too', async () => {
    const { open, files } = memory({ 'settings.json': '{"search":{"provider":"brave","apiKey":"of-brave","later":1}}' });
    const store = await open();
    expect([store.searchKey(), store.problem]).toEqual(['of-brave', 'key-moved']);
    expect(JSON.parse(files['settings.json'] ?? '').search).toEqual({ provider: 'brave', address: '', later: 1 });
    await store.update(({ search }) => ({ search: { ...search, provider: 'tavily' } }));
    expect(store.searchKey()).toBeUndefined();
    await store.setSearchKey('of-tavily');
    await store.update(({ search }) => ({ search: { ...search, provider: 'brave' } }));
    expect(store.searchKey()).toBe('of-brave');
    expect(JSON.stringify(files)).not.toMatch(/of-brave|of-tavily/u);
    expect((await memory({ 'settings.json': '{"search":{"provider":"later"}}' }).open()).get().search.provider).toBe('');
  });

  it('has defaults when there is no file, and writes nothing by itself', async () => {
    const { open, files } = memory();
    const settings = (await open()).get();
    expect(settings.toolCallMaxRounds).toBe(10);
    expect(settings.localOnly).toBe(false);
    expect(settings.model.source).toBe('host');
    expect(files).toEqual({});
  });

  it('keeps unknown keys through an update', async () => {
    const { open, files } = memory({ 'settings.json': '{"schema":1,"mine":{"a":1},"model":{"model":"x","later":true}}' });
    const store = await open();
    await store.update(() => ({ systemPrompt: 'be short' }));
    const saved = JSON.parse(files['settings.json'] ?? '');
    expect(saved).toMatchObject({ mine: { a: 1 }, model: { model: 'x', later: true }, systemPrompt: 'be short' });
  });

  it('copies a broken file aside before anything overwrites it', async () => {
    const { open, files } = memory({ 'settings.json': '{"schema":1,' });
    const store = await open();
    expect(store.problem).toBe('settings-broken');
    expect(files['settings.json.broken-1700000000000']).toBe('{"schema":1,');
  });

  it.each([
    ['{"schema":1,"localOnly": true,', true],
    ['{"schema":1,"localOnly":true,"retries":-1}', true],
    ['{"schema":1,"localOnly":"yes"}', true],
    ['{"schema":1,"localOnly": false,"retries":-1}', false],
    ['{"schema":1,', false],
  ])('asks no model elsewhere where a broken file may have said so: %s', async (text, localOnly) => {
    const store = await memory({ 'settings.json': text }).open();
    expect(store.problem).toBe('settings-broken');
    expect(store.get().localOnly).toBe(localOnly);
  });

  it('opens no notebook that a file closed whose end is missing', async () => {
    const [hidden, kept, open, inbox] = ['1', '2', '3', '4'].map((last) => `20260101000000-000000${last}`);
    const text = `{"schema":1,"notebooks":{"${hidden}":"none","${kept}": "read","${open}":"delete","${inbox}":"create"},"retries":`;
    const store = await memory({ 'settings.json': text }).open();
    expect(store.problem).toBe('settings-broken');
    expect(store.get().notebooks).toEqual({ [hidden ?? '']: 'none', [inbox ?? '']: 'none', [kept ?? '']: 'read' });
  });

  it('copies the same broken text once, however often it starts, and another one too', async () => {
    const { open, files } = memory({ 'settings.json': '{"schema":1,' });
    await open();
    await open();
    files['settings.json'] = '[';
    await open();
    await open();
    const copies = Object.entries(files).filter(([name]) => name.startsWith('settings.json.broken-'));
    expect(copies.map(([, text]) => text)).toEqual(['{"schema":1,', '[']);
  });

  it('never writes a file of a newer schema', async () => {
    const text = '{"schema":99,"systemPrompt":"from the future"}';
    const { open, files } = memory({ 'settings.json': text });
    const store = await open();
    await store.update(() => ({ systemPrompt: 'now' }));
    expect(store.problem).toBe('settings-newer');
    expect(files['settings.json']).toBe(text);
  });

  it('moves a plain key out of the synced file and still finds it', async () => {
    const { open, files, secrets } = memory({ 'settings.json': '{"model":{"source":"custom","apiKey":"sk-test","model":"m"}}' });
    const store = await open();
    expect(store.problem).toBe('key-moved');
    expect(files['settings.json']).not.toContain('sk-test');
    expect(store.apiKey('custom')).toBe('sk-test');
    expect([...secrets.values()]).toContain('sk-test');
  });

  it('opens in a workspace that is read-only: a plain key is used, and stays in the file', async () => {
    const text = '{"model":{"source":"custom","apiKey":"sk-test","model":"m"}}';
    const { open, files } = memory({ 'settings.json': text }, { readOnly: true });
    const store = await open();
    expect([store.apiKey('custom'), store.problem]).toEqual(['sk-test', undefined]);
    expect(files).toEqual({ 'settings.json': text });
  });

  it('copies a broken file aside before the first save that a workspace takes, where none took the copy at the start', async () => {
    const { open, files, workspace } = memory({ 'settings.json': '{"schema":1,' }, { readOnly: true });
    const store = await open();
    expect(store.problem).toBe('settings-broken');
    await expect(store.update(() => ({ systemPrompt: 'now' }))).rejects.toMatchObject({ code: 'read_only' });
    expect(files).toEqual({ 'settings.json': '{"schema":1,' });
    workspace.readOnly = false;
    await store.update(() => ({ systemPrompt: 'now' }));
    expect(Object.values(files)).toContain('{"schema":1,');
    expect(files['settings.json']).toContain('"systemPrompt": "now"');
  });

  it('refuses rounds that are not a positive whole number, and keeps the text aside', async () => {
    const { open, files } = memory({ 'settings.json': '{"toolCallMaxRounds":0}' });
    expect((await open()).get().toolCallMaxRounds).toBe(10);
    expect(Object.keys(files)).toContain('settings.json.broken-1700000000000');
  });

  it('reads how calls run; an unreadable value counts as the more cautious one, even in a broken file', async () => {
    const read = async (text: string) => (await memory({ 'settings.json': text }).open()).get().toolCalls;
    expect(await read('{}')).toEqual({ enabled: true, mode: 'auto', requireConfirmation: false, parallelExecution: true, timeout: 30_000 });
    expect(
      await read(
        '{"toolCalls":{"enabled":1,"mode":"hand","requireConfirmation":"no","parallelExecution":2,"timeout":0,"defaultToolEnabled":3}}',
      ),
    ).toEqual({
      ...{ enabled: false, mode: 'manual', requireConfirmation: true, parallelExecution: false, timeout: 30_000 },
      defaultToolEnabled: false,
    });
    expect(await read('{oops "toolCalls": {"mode": "manual", "requireConfirmation": true}')).toMatchObject({
      mode: 'manual',
      requireConfirmation: true,
    });
    expect(await read('{oops "toolCalls": {"enabled": false}')).toMatchObject({ enabled: false, mode: 'auto' });
  });

  it('sends all earlier messages where no limit is set, even after one was removed', async () => {
    const { open, files } = memory({});
    const store = await open();
    expect(store.get().contextMessages).toBeUndefined();
    await store.update(() => ({ contextMessages: 20 }));
    expect((await open()).get().contextMessages).toBe(20);
    await store.update(() => ({ contextMessages: undefined }));
    expect((await open()).get().contextMessages).toBeUndefined();
    expect(JSON.stringify(files)).not.toContain('contextMessages');
  });

  it('take in what another window or device wrote, and overwrite none of it', async () => {
    const { open, files } = memory({ 'settings.json': '{"schema":1,"notebooks":{"a":"write","b":"write"}}' });
    const [here, there] = [await open(), await open()];
    const heard: unknown[] = [];
    there.subscribe(({ notebooks }) => void heard.push(notebooks));
    await here.update(({ notebooks }) => ({ notebooks: { ...notebooks, a: 'none' } }));
    await there.update(({ notebooks }) => ({ notebooks: { ...notebooks, b: 'read' } }));
    expect(JSON.parse(files['settings.json'] ?? '')).toMatchObject({ notebooks: { a: 'none', b: 'read' } });
    expect(heard.at(-1)).toEqual({ a: 'none', b: 'read' });
    await here.reload();
    expect(here.get().notebooks).toEqual({ a: 'none', b: 'read' });
    const told = heard.length;
    await there.reload();
    expect(heard).toHaveLength(told);
  });

  it('keep a change that is on its way when they are read again before it is written', async () => {
    const { open, files } = memory({ 'settings.json': '{"schema":1,"notebooks":{"a":"write","b":"write"}}' });
    const [here, there] = [await open(), await open()];
    await there.update(({ notebooks }) => ({ notebooks: { ...notebooks, b: 'read' } }));
    const read = here.reload();
    const changed = here.update(({ notebooks }) => ({ notebooks: { ...notebooks, a: 'none' } }));
    await read;
    expect(here.get().notebooks).toEqual({ a: 'none', b: 'read' });
    await changed;
    expect(JSON.parse(files['settings.json'] ?? '')).toMatchObject({ notebooks: { a: 'none', b: 'read' } });
  });

  it('keep what they are when a sync leaves a file that cannot be read, or none', async () => {
    const { open, files } = memory({ 'settings.json': '{"schema":1,"notebooks":{"a":"none"}}' });
    const store = await open();
    for (const text of ['{"schema":', '']) {
      files['settings.json'] = text;
      await store.reload();
      expect(store.get().notebooks).toEqual({ a: 'none' });
    }
  });

  it('move a plain key that a sync brought, too', async () => {
    const { open, files, secrets } = memory({ 'settings.json': '{"schema":1}' });
    const store = await open();
    files['settings.json'] = '{"schema":1,"model":{"model":"x","apiKey":"sk-1"}}';
    await store.reload();
    expect([store.apiKey('custom'), [...secrets.values()]]).toEqual(['sk-1', expect.arrayContaining(['sk-1'])]);
    expect(files['settings.json']).not.toContain('sk-1');
  });
});

describe('a page that is closed in the middle of a change of the settings', () => {
  /** A page that ends when it wants to make a request after these; what it left unsaved is in `kept`. */
  function pages(files: Record<string, string> = {}) {
    const kept: { text: string | null } = { text: null };
    const open = (requests = Number.POSITIVE_INFINITY, before: () => void = () => undefined) => {
      let left = requests;
      const asked = <T>(answer: () => T): Promise<T> => {
        before();
        return --left >= 0 ? Promise.resolve(answer()) : new Promise<T>(() => undefined);
      };
      const storage = {
        read: (path: string) => asked(() => files[path] ?? null),
        write: (path: string, text: string) => asked(() => void Object.assign(files, { [path]: text })),
        list: () => asked(() => Object.keys(files)),
      };
      const unsaved = { get: () => kept.text, set: (text: string | null) => void Object.assign(kept, { text }) };
      return openSettings(storage, { get: () => undefined, set: () => undefined }, () => 1, unsaved);
    };
    return { files, kept, open };
  }
  const written = (files: Record<string, string>): unknown => JSON.parse(files['settings.json'] ?? '{}');

  it.each([1, 2])('has the change all the same: closed after %i of three requests', async (requests) => {
    const { files, kept, open } = pages({ 'settings.json': '{"notebooks":{"a":"read","b":"write"},"contextMessages":4}' });
    const page = await open(requests);
    void page.update(({ notebooks }) => ({ notebooks: { ...notebooks, a: 'none' }, contextMessages: undefined }));
    expect(written(files)).toMatchObject({ contextMessages: 4 });
    const next = await open();
    expect(next.get().notebooks).toEqual({ a: 'none', b: 'write' });
    expect(next.get().contextMessages).toBeUndefined();
    expect(written(files)).not.toHaveProperty('contextMessages');
    expect(kept.text).toBeNull();
  });

  it('leaves what others set meanwhile in the same field', async () => {
    const { files, open } = pages({ 'settings.json': '{"notebooks":{"a":"read","b":"write"}}' });
    void (await open(1)).update(({ notebooks }) => ({ notebooks: { ...notebooks, a: 'none' } }));
    files['settings.json'] = '{"notebooks":{"a":"read","b":"none"}}';
    expect((await open()).get().notebooks).toEqual({ a: 'none', b: 'none' });
  });

  it('keeps two changes until the file has them, and nothing longer', async () => {
    const { kept, open } = pages();
    const seen: (string | null)[] = [];
    const page = await open(undefined, () => seen.push(kept.text));
    await Promise.all([page.update(() => ({ systemPrompt: 'short' })), page.update(() => ({ localOnly: true }))]);
    // Of a read, a write, a read and a write: the first write holds them both.
    expect(seen.slice(2).map((text) => text?.includes('localOnly'))).toEqual([true, undefined, undefined]);
    expect(kept.text).toBeNull();
  });

  it('passes over notes that cannot be read, or would break the file', async () => {
    for (const text of ['{oops', '{"at":1}', '[{"at":["toolCallMaxRounds"],"value":"many"}]', '[{"at":["notebooks","a"],"value":7}]']) {
      const { files, kept, open } = pages();
      kept.text = text;
      expect((await open()).get().toolCallMaxRounds).toBe(10);
      expect(files).toEqual({});
    }
  });
});
