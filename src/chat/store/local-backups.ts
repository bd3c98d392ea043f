import type { ChatStorage } from './storage-port.ts';

/** The number of chats with a backup: those written last. */
const KEPT = 200;
const EXTENSION = '.json';
const FOLDER = 'chats';
const COMPARED = 'chats-compared.json';

const copyOf = (id: string): string => `${FOLDER}/${id}${EXTENSION}`;

/** For each chat, the modification time of its file when it was compared with its backup. */
type Compared = Readonly<Record<string, number>>;

/** Copies outside the synced folder, merged in again where a sync replaced a file. Failures affect no chat. */
export class LocalBackups {
  private readonly chats: ChatStorage;
  private readonly copies: ChatStorage | undefined;
  private pruned = false;

  constructor(chats: ChatStorage, copies: ChatStorage | undefined) {
    this.chats = chats;
    this.copies = copies;
  }

  /** `text`: what was written into the chat's file. Never rejects: an old backup is harmless. */
  async put(id: string, text: string): Promise<void> {
    try {
      await this.copies?.write(copyOf(id), text);
      if (!this.pruned) await this.prune();
    } catch {
      // The chat itself is written.
    }
  }

  /** What was last written here; null if there is none, or it cannot be read. */
  async read(id: string): Promise<string | null> {
    return (await this.copies?.read(copyOf(id)).catch(() => null)) ?? null;
  }

  async drop(id: string): Promise<void> {
    await this.copies?.remove(copyOf(id)).catch(() => undefined);
  }

  /** Visits each chat whose file was written since its last visit, again if `visit` rejects; a deleted chat's backup is removed. */
  async visitChanged(visit: (id: string) => Promise<void>): Promise<void> {
    const { copies, chats } = this;
    if (!copies) return;
    const [names, times, before] = await Promise.all([copies.list(FOLDER), chats.modified?.('sessions'), this.compared()]);
    if (!times) return;
    const compared: Record<string, number> = {};
    for (const name of names) {
      const id = name.slice(0, -EXTENSION.length);
      const modified = times.get(name);
      if (modified === undefined) {
        await this.drop(id);
        continue;
      }
      try {
        if (before[id] !== modified) await visit(id);
        compared[id] = modified;
      } catch {
        // Its file cannot be read: the others are visited anyway.
      }
    }
    if (JSON.stringify(compared) !== JSON.stringify(before)) await copies.write(COMPARED, JSON.stringify(compared));
  }

  private async compared(): Promise<Compared> {
    try {
      const value: unknown = JSON.parse((await this.copies?.read(COMPARED)) ?? '{}');
      return Object.fromEntries(Object.entries(Object(value)).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
    } catch {
      // All chats are compared again.
      return {};
    }
  }

  /** Once per start: in between, few chats are written for the first time. */
  private async prune(): Promise<void> {
    this.pruned = true;
    const times = await this.copies?.modified?.(FOLDER);
    const oldest = [...(times ?? [])].sort(([, left], [, right]) => right - left).slice(KEPT);
    for (const [name] of oldest) await this.copies?.remove(`${FOLDER}/${name}`);
  }
}
