import * as v from 'valibot';
import { parsedJson } from '../../tools/util/plain-value.ts';

/** Looks at another's lease that find it unchanged, before it counts as dead: its beats may be late, and clocks differ. */
const DEAD_AFTER = 4;

const leaseFormat = v.object({ holder: v.string(), name: v.string(), beat: v.number() });
type Saved = v.InferOutput<typeof leaseFormat>;

export interface LeaseDeps {
  /** Of this kernel alone: not synced. */
  readonly storage: {
    read(path: string): Promise<string | null>;
    write(path: string, text: string): Promise<void>;
    remove(path: string): Promise<void>;
  };
  /** This program: the same after a restart, and another than any that runs beside it. */
  readonly holder: string;
  /** For people: "the service on ada-laptop". */
  readonly name: string;
  /** Resolves when a lease that two programs wrote at once has settled. */
  readonly settle: () => Promise<void>;
}

const PATH = 'orders-lease.json';

/** Which of the programs on one workspace runs its orders. Looked at again and again; it never trusts a clock. */
export class Lease {
  private readonly deps: LeaseDeps;
  private beat = 0;
  private seen: { readonly text: string; readonly times: number } | undefined;
  private held = false;

  constructor(deps: LeaseDeps) {
    this.deps = deps;
  }

  /** Whether this program runs the orders from now until the next look. Rejects like the storage. */
  async hold(): Promise<boolean> {
    const { storage, holder, settle } = this.deps;
    const text = await storage.read(PATH);
    const saved = readLease(text);
    const isOthers = saved !== null && saved.holder !== holder;
    if (isOthers && !this.isDead(text ?? '')) return this.yield();
    const isNew = !this.held;
    this.held = true;
    await this.write();
    if (isNew) {
      await settle();
      const now = readLease(await storage.read(PATH));
      if (now && now.holder !== holder) return this.yield();
    }
    this.seen = undefined;
    return true;
  }

  /** The name of whoever runs them; '' if nobody does. Rejects like the storage. */
  async holder(): Promise<string> {
    return readLease(await this.deps.storage.read(PATH))?.name ?? '';
  }

  /** Lets another one have it at once. */
  async release(): Promise<void> {
    if (this.held) await this.deps.storage.remove(PATH);
    this.held = false;
  }

  private yield(): false {
    this.held = false;
    return false;
  }

  private isDead(text: string): boolean {
    const times = this.seen?.text === text ? this.seen.times + 1 : 0;
    this.seen = { text, times };
    return times >= DEAD_AFTER;
  }

  private write(): Promise<void> {
    const { storage, holder, name } = this.deps;
    this.beat += 1;
    return storage.write(PATH, JSON.stringify({ holder, name, beat: this.beat }));
  }
}

function readLease(text: string | null): Saved | null {
  const read = v.safeParse(leaseFormat, parsedJson(text ?? ''));
  return read.success ? read.output : null;
}
