/** Text files below the plugin's storage folder (docs/formats.md), by relative paths with `/`. All methods reject with ToolError. */
export interface ChatStorage {
  read(path: string): Promise<string | null>;
  /** Creates missing folders; replaces the file. */
  write(path: string, text: string): Promise<void>;
  /** A file, or a folder with everything in it; does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Names (not paths) of the files and folders directly in `dir`; empty if it does not exist. */
  list(dir: string): Promise<readonly string[]>;
  /** The modification time of each file in `dir`, by name, in any unit, exact to a second. Absent: the storage has none. */
  modified?(dir: string): Promise<ReadonlyMap<string, number>>;
}

export interface MemoryStorage extends ChatStorage {
  readonly files: ReadonlyMap<string, string>;
}

/** The in-memory adapter: for tests, and for chats that are not saved. */
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
