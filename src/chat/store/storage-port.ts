/**
 * Where chats are kept: text files below the plugin's storage folder (docs/formats.md), paths relative to it with `/`.
 * All methods reject with ToolError when the storage cannot be reached or refuses.
 */
export interface ChatStorage {
  /** null when there is no such file. */
  read(path: string): Promise<string | null>;
  /** Creates folders on the way; replaces the file. */
  write(path: string, text: string): Promise<void>;
  /** A file or a folder with all that is in it; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  /** Names (not paths) of the files and folders directly in `dir`; empty when there is no such folder. */
  list(dir: string): Promise<readonly string[]>;
  /**
   * When each file directly in `dir` was written, by name, in whatever unit: a file that was written again has another time,
   * if not within one second. Absent where the storage cannot tell; then what others write is noticed when it is opened.
   */
  modified?(dir: string): Promise<ReadonlyMap<string, number>>;
}

export interface MemoryStorage extends ChatStorage {
  readonly files: ReadonlyMap<string, string>;
}

/** The in-memory adapter: what tests run over, and what a chat runs over when nothing is to be kept. */
export function createMemoryStorage(initial: Readonly<Record<string, string>> = {}): MemoryStorage {
  const files = new Map(Object.entries(initial));
  const times = new Map([...files.keys()].map((path) => [path, 0]));
  let writes = 0;
  return {
    files,
    read: (path) => Promise.resolve(files.get(path) ?? null),
    async write(path, text) {
      files.set(path, text);
      times.set(path, ++writes);
    },
    async remove(path) {
      for (const name of [...files.keys()]) if (name === path || name.startsWith(`${path}/`)) files.delete(name);
    },
    async modified(dir) {
      const inside = [...files.keys()].filter((path) => path.startsWith(`${dir}/`) && !path.includes('/', dir.length + 1));
      return new Map(inside.map((path) => [path.slice(dir.length + 1), times.get(path) ?? 0]));
    },
    async list(dir) {
      const below = [...files.keys()]
        .filter((name) => name.startsWith(`${dir}/`))
        .map((name) => name.slice(dir.length + 1).split('/')[0] ?? '');
      return [...new Set(below)].sort();
    },
  };
}
