import type { LoadedPlugin } from '../core/types.ts';

/** Milliseconds that ending a plugin may take in all, hooks that still run included. */
const ENDING_MS = 5000;

const running = new WeakMap<LoadedPlugin, Promise<void>>();
const ended = new WeakSet<LoadedPlugin>();

async function safely(what: string, hook: () => unknown): Promise<void> {
  try {
    await hook();
  } catch (error) {
    console.error(`${what} error:`, error);
  }
}

/** Runs a plugin's hook when the ones before it have ended, as SiYuan 3.8 does. One that waits when the plugin ends is not run any more. */
export function runHook(plugin: LoadedPlugin, name: string, hook: () => unknown): Promise<void> {
  const run = (): Promise<void> => safely(`plugin ${plugin.name} ${name}`, hook);
  const work = running.get(plugin)?.then(() => (ended.has(plugin) ? undefined : run())) ?? run();
  running.set(plugin, work);
  return work;
}

/** The last hooks, each after the one before. When the time is up, the rest are called at once, and nobody waits for them. */
export async function endPlugin(plugin: LoadedPlugin, hooks: Readonly<Record<string, () => unknown>>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ENDING_MS);
  });
  ended.add(plugin);
  await Promise.race([running.get(plugin), late]);
  for (const [name, hook] of Object.entries(hooks)) await Promise.race([safely(`plugin ${plugin.name} ${name}`, hook), late]);
  clearTimeout(timer);
}
