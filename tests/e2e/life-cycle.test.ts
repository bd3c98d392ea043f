// What is left in SiYuan's page of a plugin that was switched on and off many times: nothing that was not there after the first time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';

const CYCLES = 50;
const NAME = 'siyuan-marginalia';

/** Counts what holds on to the page: listeners of what outlives the plugin, open sockets, intervals, observers. Runs before anything else does. */
const COUNTING = `
  const counts = { listeners: {}, sockets: 0, intervals: 0, observers: 0 };
  window.leftovers = counts;
  const held = new Map();
  const outlives = (target) =>
    target === window || target === document || target === document.documentElement || target === document.body ||
    target === window.visualViewport || target instanceof MediaQueryList || target instanceof Navigator;
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const keyOf = (type, options) => type + (options === true || options?.capture ? ' capture' : '');
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener && !options?.once && !options?.signal?.aborted && outlives(target)) {
      const key = keyOf(type, options);
      if (!held.has(target)) held.set(target, new Map());
      const own = held.get(target);
      if (!own.has(key)) own.set(key, new Set());
      if (!own.get(key).has(listener)) {
        own.get(key).add(listener);
        counts.listeners[key] = (counts.listeners[key] ?? 0) + 1;
        const drop = () => {
          if (own.get(key).delete(listener)) counts.listeners[key] -= 1;
        };
        if (options?.signal) add.call(options.signal, 'abort', drop, { once: true });
      }
    }
    return add.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    const key = keyOf(type, options);
    if (held.get(target)?.get(key)?.delete(listener)) counts.listeners[key] -= 1;
    return remove.call(target, type, listener, options);
  };
  window.WebSocket = new Proxy(window.WebSocket, {
    construct(Socket, given) {
      const socket = new Socket(...given);
      counts.sockets += 1;
      add.call(socket, 'close', () => (counts.sockets -= 1), { once: true });
      return socket;
    },
  });
  const { setInterval: start, clearInterval: stop } = window;
  const intervals = new Set();
  window.setInterval = (...given) => {
    const id = start(...given);
    intervals.add(id);
    counts.intervals = intervals.size;
    return id;
  };
  window.clearInterval = (id) => {
    intervals.delete(id);
    counts.intervals = intervals.size;
    stop(id);
  };
  for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {
    const { observe, disconnect } = window[name].prototype;
    const active = new Set();
    window[name].prototype.observe = function (target, ...more) {
      // An observer of an element that is gone goes with it.
      if (outlives(target) && !active.has(this)) {
        active.add(this);
        counts.observers += 1;
      }
      return observe.call(this, target, ...more);
    };
    window[name].prototype.disconnect = function () {
      if (active.delete(this)) counts.observers -= 1;
      return disconnect.call(this);
    };
  }
`;

describe.skipIf(!chromiumPath)('the plugin, switched on and off', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ init: COUNTING });
  });
  afterAll(() => app?.close());

  const dock = () => app.page.locator(`.dock__item[data-type="${NAME}panel"]`);
  const left = () =>
    app.page.evaluate(() => ({
      // A kind of listener that was there and is gone has a count of nothing.
      counts: JSON.stringify(Reflect.get(window, 'leftovers'), (_key, value: unknown) => (value === 0 ? undefined : value)),
      styles: document.querySelectorAll('style, link[rel="stylesheet"]').length,
      symbols: document.querySelectorAll('svg[data-name]').length,
      classes: `${document.documentElement.className} ${document.body.className}`,
      ours: document.querySelectorAll('[class*="mg-"], [id*="marginalia"]').length,
      children: document.body.children.length,
    }));

  async function cycle(): Promise<void> {
    await app.kernel('/api/petal/setPetalEnabled', { packageName: NAME, enabled: true });
    await dock().waitFor();
    await drive(app.page).open();
    await app.kernel('/api/petal/setPetalEnabled', { packageName: NAME, enabled: false });
    await dock().waitFor({ state: 'detached' });
  }

  it('leaves no listener, timer, observer, style or class behind, however often', { timeout: 600_000 }, async () => {
    await cycle();
    await expect.poll(async () => (await left()).ours).toBe(0);
    const first = await left();
    for (let count = 1; count < CYCLES; count += 1) await cycle();
    // What the last one holds it lets go when it has ended.
    await expect.poll(left).toEqual(first);
    expect(app.pageErrors).toEqual([]);
  });
});
