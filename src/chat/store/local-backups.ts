import type { ChatStorage } from './storage-port.ts';

/** The number of chats with a backup: those written last. */
const KEPT = 200;
const EXTENSION = '.json';
const FOLDER = 'chats';
const COMPARED = 'chats-compared.json';

const copyOf = (id: string): string => `${FOLDER}/${id}${EXTENSION}`;

/** For each chat, the modification time of its file when it was compared with its backup. */
type Compared = Readonly<Record<string, number>>;

/**
 * Chats as they were last written here, outside the synced folder. A sync replaces a whole file: if two devices continued
 * a chat, the messages of one are missing in the file. They are still in the backup, and are merged in. Backups are optional, and
 * their failures never affect chats.
 */
export class LocalBackups {
  private readonly chats: ChatStorage;
  private readonly copies: ChatStorage | undefined;
  private pruned = false;

  /** Without `copies` nothing is saved. */
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

  /** Never rejects. */
  async drop(id: string): Promise<void> {
    await this.copies?.remove(copyOf(id)).catch(() => undefined);
  }

  /**
   * Visits each chat whose file was written since its last visit, by us or by others. Three requests if there is none. A chat
   * whose file is gone was deleted: its backup is removed and does not restore it. If `visit` rejects, that chat is visited again the
   * next time. Rejects like the storage.
   */
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
