import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { keepBroken } from '../../tools/util/broken-copy.ts';
import { type KernelClient, KernelRefusal } from './kernel-client.ts';
import type { KernelRoutes } from './kernel-routes.ts';

/** The files in it are described in docs/formats.md. */
export const STORAGE_ROOT = '/data/storage/petal/siyuan-marginalia';

/** Not synced, and removed with the workspace's temporary files: for computed data. */
export const CACHE_ROOT = '/temp/siyuan-marginalia';

interface StoredEntry {
  readonly name: string;
  readonly isDir: boolean;
  /** Seconds since the epoch of the last write; some kernels omit it. */
  readonly updated?: number | undefined;
}

type JsonReading<T> =
  | { readonly status: 'missing' }
  | { readonly status: 'ok'; readonly value: T }
  /** Unreadable; its text was copied aside and the file was not changed. */
  | { readonly status: 'broken'; readonly copy: string };

/** Files by paths relative to the storage root. `put` replaces a whole file (docs/kernel.md#requests-and-answers); nothing is aborted. */
export interface PluginStorage {
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Names in a folder; empty if it does not exist. */
  list(folder: string): Promise<readonly StoredEntry[]>;
  /** `parse` throws for what it cannot read. */
  readJson<T>(path: string, parse: (value: unknown) => T): Promise<JsonReading<T>>;
  writeJson(path: string, value: unknown): Promise<void>;
}

export interface StorageDeps {
  readonly client: KernelClient;
  readonly routes: KernelRoutes;
  readonly clock: Clock;
  readonly root?: string;
}

const isMissing = (error: unknown): boolean => error instanceof KernelRefusal && error.kernelCode === 404;

export function createStorage(deps: StorageDeps): PluginStorage {
  const { client, routes } = deps;
  const root = deps.root ?? STORAGE_ROOT;
  const signal = NEVER;
  const full = (path: string): string => {
    if (path.split('/').some((part) => part === '..' || part === '.'))
      throw new ToolError('bad_path', `"${path}" leaves the storage`, 'use a plain name');
    return path === '' ? root : `${root}/${path}`;
  };

  const read = async (path: string): Promise<string | null> => client.readFile(full(path), signal);
  const write = async (path: string, text: string): Promise<void> => client.writeFile(full(path), text, signal);

  async function remove(path: string): Promise<void> {
    try {
      await routes.removeFile(full(path), signal);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async function list(folder: string): Promise<readonly StoredEntry[]> {
    try {
      return (await routes.readDir(full(folder), signal)) ?? [];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async function readJson<T>(path: string, parse: (value: unknown) => T): Promise<JsonReading<T>> {
    const text = await read(path);
    if (text === null) return { status: 'missing' };
    try {
      return { status: 'ok', value: parse(JSON.parse(text)) };
    } catch {
      const names = async (folder: string): Promise<readonly string[]> => (await list(folder)).map(({ name }) => name);
      return { status: 'broken', copy: await keepBroken({ read, write, list: names }, path, text, deps.clock.now()) };
    }
  }

  return { read, write, remove, list, readJson, writeJson: (path, value) => write(path, JSON.stringify(value)) };
}
