import * as v from 'valibot';
import { FolderIndex } from './folder-index.ts';
import type { ChatStorage } from './storage-port.ts';

const trashFormat = v.object({ schema: v.literal(1), deleted: v.number(), title: v.string(), text: v.string() });
const summaryFormat = v.object({ title: v.string(), deleted: v.number() });
type TrashSummary = v.InferOutput<typeof summaryFormat>;

export interface TrashedChat {
  readonly id: string;
  readonly title: string;
  readonly deleted: number;
}

const pathOf = (id: string): string => `trash/${id}.json`;

function readEntry(source: string | null): v.InferOutput<typeof trashFormat> | null {
  if (source === null) return null;
  try {
    return v.parse(trashFormat, JSON.parse(source));
  } catch {
    return null;
  }
}

function summarize(_id: string, text: string): TrashSummary | null {
  const entry = readEntry(text);
  return entry && { title: entry.title, deleted: entry.deleted };
}

/** `trash/<id>.json`: the files of deleted chats, byte for byte, until they are restored or purged. */
export class Trash {
  readonly index: FolderIndex<TrashSummary>;
  private readonly storage: ChatStorage;

  constructor(storage: ChatStorage) {
    this.storage = storage;
    this.index = new FolderIndex({ storage, folder: 'trash', schema: 1, format: summaryFormat, summarize });
  }

  async put(id: string, entry: { readonly title: string; readonly text: string; readonly deleted: number }): Promise<void> {
    const { title, deleted } = entry;
    await this.storage.write(pathOf(id), JSON.stringify({ schema: 1, ...entry }));
    await this.index.put(id, { title, deleted });
  }

  /** Text of the deleted file; null if there is none. */
  async text(id: string): Promise<string | null> {
    return readEntry(await this.storage.read(pathOf(id)))?.text ?? null;
  }

  async drop(id: string): Promise<void> {
    await this.storage.remove(pathOf(id));
    this.index.drop(id);
  }

  /** When it was deleted, according to its file; null if there is none. */
  async deletedAt(id: string): Promise<number | null> {
    return readEntry(await this.storage.read(pathOf(id)))?.deleted ?? null;
  }

  /** Newest first, as far as they have been read; the others are read in the background (`index.watch`). */
  async list(): Promise<readonly TrashedChat[]> {
    const { entries } = await this.index.soon();
    return [...entries]
      .flatMap(([id, { summary }]) => (summary ? [{ id, ...summary }] : []))
      .sort((left, right) => right.deleted - left.deleted);
  }
}
