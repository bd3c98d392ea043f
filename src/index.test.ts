import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Titles of the dialogs that were opened. */
const dialogs: string[] = vi.hoisted(() => []);
vi.mock('siyuan', () => ({
  Plugin: class {
    readonly name = 'siyuan-marginalia';
    readonly i18n = {};
    readonly eventBus = { on: () => undefined, off: () => undefined };
    async loadData(): Promise<unknown> {
      return { prompts: [] };
    }
  },
  Menu: class {},
  Dialog: class {
    readonly element = { addEventListener: () => undefined, querySelector: () => null };
    constructor({ title }: { title: string }) {
      dialogs.push(title);
    }
  },
}));

const { default: Marginalia } = await import('./index.ts');

const requests: string[] = [];
/** What stands in the plugin's folder, and whether somebody looks at this window. */
let kept: unknown = null;
let hasFocus = true;
beforeEach(() => {
  vi.useFakeTimers();
  const storage = { length: 0, key: () => null, getItem: () => null, removeItem: () => undefined };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push(`${path} ${JSON.parse(String(init.body)).path}`);
    return new Response(JSON.stringify(path === '/api/file/readDir' ? { code: 0, data: kept } : {}));
  });
  const classList = { toggle: () => false, remove: () => undefined };
  vi.stubGlobal('document', { hasFocus: () => hasFocus, documentElement: { classList } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  requests.length = 0;
  dialogs.length = 0;
});

/** A plugin whose product runs, with what is asked of it. */
function running(dispose: () => Promise<void>) {
  const plugin = Reflect.construct(Marginalia, []) as InstanceType<typeof Marginalia>;
  const asked: string[] = [];
  const app = {
    dispose: () => {
      asked.push('dispose');
      return dispose();
    },
    dataChanged: () => asked.push('dataChanged'),
  };
  Reflect.set(plugin, 'product', Promise.resolve(app));
  return { plugin, asked };
}

/** Whether it has settled by then. */
async function settledAfter(work: Promise<void>, ms: number): Promise<boolean> {
  let settled = false;
  void work.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return settled;
}

describe('the hooks that SiYuan waits for', () => {
  it('ends when what runs has ended', async () => {
    let end = (): void => undefined;
    const { plugin, asked } = running(() => new Promise((resolve) => (end = resolve)));
    const work = plugin.onunload();
    expect(await settledAfter(work, 1000)).toBe(false);
    end();
    expect(await settledAfter(work, 0)).toBe(true);
    expect(asked).toEqual(['dispose']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is over in two seconds where something does not end, and so is the removal', async () => {
    const { plugin } = running(() => new Promise(() => undefined));
    expect(await settledAfter(plugin.onunload(), 2000)).toBe(true);
    expect(await settledAfter(plugin.uninstall(), 2000)).toBe(true);
    // What is still being written would come back after a removal.
    expect(requests).toEqual([]);
  });

  it('ends where the product could not be loaded, or failed', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { plugin } = running(() => Promise.reject(new Error('no disk')));
    expect(await settledAfter(plugin.onunload(), 0)).toBe(true);
    expect(await settledAfter(plugin.uninstall(), 0)).toBe(true);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  it.each([
    { what: 'chats, where somebody looks', files: [{ name: 'sessions' }], isLookedAt: true, questions: ['removal.title'] },
    { what: 'chats, where nobody looks', files: [{ name: 'sessions' }], isLookedAt: false, questions: [] },
    { what: 'an empty folder', files: [], isLookedAt: true, questions: [] },
    { what: 'no folder', files: null, isLookedAt: true, questions: [] },
  ])('removes what search keeps before it is over, and asks once: $what', async ({ files, isLookedAt, questions }) => {
    kept = files;
    hasFocus = isLookedAt;
    const { plugin } = running(async () => undefined);
    await plugin.onunload();
    await plugin.uninstall();
    expect(requests).toEqual(['/api/file/readDir /data/storage/petal/siyuan-marginalia', '/api/file/removeFile /temp/siyuan-marginalia']);
    expect(dialogs).toEqual(questions);
  });

  it.each([
    ['sync', ['dataChanged']],
    [undefined, ['dataChanged']],
    ['overwrite', []],
  ] as const)('takes in what came by %s: %s', async (reason, expected) => {
    const { plugin, asked } = running(async () => undefined);
    await plugin.onDataChanged(reason);
    expect(asked).toEqual(expected);
  });

  it('takes in nothing where the product could not be loaded', async () => {
    const { plugin } = running(async () => undefined);
    Reflect.set(plugin, 'product', Promise.reject(new Error('no chunk')));
    await expect(plugin.onDataChanged('sync')).resolves.toBeUndefined();
  });
});
