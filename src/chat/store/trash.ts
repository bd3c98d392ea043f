import * as v from 'valibot';
import type { ChatStorage } from './storage-port.ts';

const trashFormat = v.object({ schema: v.literal(1), deleted: v.number(), title: v.string(), text: v.string() });

export interface TrashedChat {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly deleted: number;
}

const EXTENSION = '.json';
const pathOf = (id: string): string => `trash/${id}${EXTENSION}`;

function readEntry(source: string | null): v.InferOutput<typeof trashFormat> | null {
  if (source === null) return null;
  try {
    return v.parse(trashFormat, JSON.parse(source));
  } catch {
    return null;
  }
}

/** `trash/<id>.json`: deleted chats, their files word for word, until they are brought back or purged. */
export class Trash {
  private readonly storage: ChatStorage;

  constructor(storage: ChatStorage) {
    this.storage = storage;
  }

  put(id: string, entry: { readonly title: string; readonly text: string; readonly deleted: number }): Promise<void> {
    return this.storage.write(pathOf(id), JSON.stringify({ schema: 1, ...entry }));
  }

  /** Text of the file that was deleted; null when it is not there. */
  async text(id: string): Promise<string | null> {
    return readEntry(await this.storage.read(pathOf(id)))?.text ?? null;
  }

  drop(id: string): Promise<void> {
    return this.storage.remove(pathOf(id));
  }

  /** Newest first. */
  async list(): Promise<readonly TrashedChat[]> {
    const names = (await this.storage.list('trash')).filter((name) => name.endsWith(EXTENSION));
    const read = async (name: string): Promise<readonly TrashedChat[]> => {
      const entry = readEntry(await this.storage.read(`trash/${name}`));
      return entry ? [{ id: name.slice(0, -EXTENSION.length), title: entry.title, deleted: entry.deleted }] : [];
    };
    return (await Promise.all(names.map(read))).flat().sort((left, right) => right.deleted - left.deleted);
  }
}
