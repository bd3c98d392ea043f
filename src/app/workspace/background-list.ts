import { ToolError } from '../../tools/contract/errors.ts';
import { inBackground, Listeners } from '../../tools/util/notify.ts';

export interface BackgroundList<Item extends string> {
  /** The last result, or what is remembered of an earlier one. */
  readonly current: () => readonly Item[];
  /** Resolves when it is read, or cannot be. */
  readonly refresh: () => Promise<void>;
  /** Reads it again, while the last result counts; whether it could be read. */
  readonly update: () => Promise<boolean>;
  /** Calls back when the result is another one; returns a function that stops listening. */
  readonly subscribe: (listener: () => void) => () => void;
}

interface BackgroundListOptions<Item extends string> {
  readonly read: (signal: AbortSignal) => Promise<readonly Item[]>;
  readonly rights: { subscribe(listener: () => void): unknown };
  readonly signal: AbortSignal;
  /** The result of an earlier run, which counts until the list is read again. Absent: it is empty whenever it is being read. */
  readonly memory?: { readonly get: () => readonly Item[]; readonly set: (list: readonly Item[]) => void };
}

/** A list about the notes that nobody waits for: read in the background, and again after each change of rights. */
export function backgroundList<Item extends string>({ read, rights, signal, memory }: BackgroundListOptions<Item>): BackgroundList<Item> {
  const listeners = new Listeners<[]>();
  let known = memory?.get() ?? [];
  let latest = 0;
  const update = async (): Promise<boolean> => {
    latest += 1;
    const turn = latest;
    try {
      const found = await read(signal);
      if (turn !== latest) return false;
      const isOther = found.join() !== known.join();
      known = found;
      memory?.set(found);
      if (isOther) listeners.call();
      return true;
    } catch (error) {
      // The tools work without it, and nobody needs it when the panel is gone.
      if (!signal.aborted && !(error instanceof ToolError)) throw error;
      return false;
    }
  };
  const refresh = async (): Promise<void> => {
    if (!memory) known = [];
    await update();
  };
  rights.subscribe(() => inBackground(refresh()));
  return { current: () => known, refresh, update, subscribe: (listener) => listeners.add(listener) };
}
