import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadedPlugin } from '../core/types.ts';
import { endPlugin, runHook } from './life-cycle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const plugin = (): LoadedPlugin => ({ name: 'sample' }) as LoadedPlugin;
const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the hooks of a plugin in 3.8', () => {
  it('run one after another, those that end it last', async () => {
    const log: string[] = [];
    const sample = plugin();
    const hook = (name: string, ms: number) => async () => {
      await passed(ms);
      log.push(name);
    };
    void runHook(sample, 'onload', hook('onload', 100));
    void runHook(sample, 'onLayoutReady', hook('onLayoutReady', 1));
    await vi.advanceTimersByTimeAsync(150);
    const ending = endPlugin(sample, { onunload: hook('onunload', 100), uninstall: hook('uninstall', 1) });
    await vi.advanceTimersByTimeAsync(200);
    await ending;
    expect(log).toEqual(['onload', 'onLayoutReady', 'onunload', 'uninstall']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('have five seconds in all to end, then all that are left are called once', async () => {
    const asked: string[] = [];
    const sample = plugin();
    void runHook(sample, 'onload', () => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(0);
    const endless = (name: string) => () => {
      asked.push(name);
      return new Promise(() => undefined);
    };
    const ending = endPlugin(sample, { onunload: endless('onunload'), uninstall: endless('uninstall') });
    await vi.advanceTimersByTimeAsync(4999);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await ending;
    expect(asked).toEqual(['onunload', 'uninstall']);
  });

  it('are not run where they waited when it ended, and a failure stops none', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const log: string[] = [];
    const sample = plugin();
    void runHook(sample, 'onload', () => passed(100));
    void runHook(sample, 'onDataChanged', () => log.push('onDataChanged'));
    const ending = endPlugin(sample, { onunload: () => Promise.reject(new Error('no')), uninstall: () => log.push('uninstall') });
    await vi.advanceTimersByTimeAsync(100);
    await ending;
    expect(log).toEqual(['uninstall']);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});
