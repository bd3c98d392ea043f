import type { PushSource } from '../../host/kernel/transaction-log.ts';

/** Pushes that come by themselves and tell of no note. */
const NOISE: ReadonlySet<string> = new Set(['statusbar', 'backgroundtask', 'progress', 'downloadProgress', 'msg', 'cmsg']);
/** How long what was read counts while no push is received, in milliseconds. */
const UNHEARD_MS = 60_000;

export interface NotesChanges {
  /** A point in time, for later questions. */
  position(): number;
  /** Whether notes may have changed after that point. */
  since(position: number): boolean;
  /** Something else that counts as a change. */
  note(): void;
}

/** When notes may have changed, by what SiYuan pushes. */
export function followNotes(pushes: PushSource, now: () => number): NotesChanges {
  let count = 0;
  let heardAt = now();
  const note = (): void => {
    count += 1;
  };
  pushes.onTransactions(note);
  pushes.onCommand?.((command) => {
    if (!NOISE.has(command)) note();
  });
  const look = (): void => {
    if (pushes.hears?.() === false && now() - heardAt < UNHEARD_MS) return;
    if (pushes.hears?.() === false) note();
    heardAt = now();
  };
  return {
    note,
    position() {
      look();
      return count;
    },
    since(position) {
      look();
      return count > position;
    },
  };
}

/** A reading that takes longer, in milliseconds, pauses for so many times its time: a large workspace is not read for every question. */
const QUICK_MS = 500;
const PAUSE = 20;

/** Runs the reading once for each time that notes may have changed; after a failure again. Concurrent ones wait for the same reading. */
export function readAfterChanges(changes: NotesChanges, now: () => number, read: () => Promise<boolean>): () => Promise<void> {
  let position = -1;
  let again = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const readNow = async (): Promise<void> => {
    const [before, start] = [changes.position(), now()];
    if (!(await read())) return;
    position = before;
    const took = now() - start;
    again = now() + (took > QUICK_MS ? PAUSE * took : 0);
  };
  return () => {
    if (!reading && (!changes.since(position) || now() < again)) return Promise.resolve();
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
