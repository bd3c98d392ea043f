import { ToolError } from '../../tools/contract/errors.ts';
import type { AssetStore } from '../ports/assets.ts';

export interface MemoryAssets extends AssetStore {
  readonly files: Map<string, Uint8Array>;
  /** Paths that were read, in their order. */
  readonly reads: string[];
}

/** Assets as SiYuan keeps them, in memory. */
export function createMemoryAssets(): MemoryAssets {
  const files = new Map<string, Uint8Array>();
  const reads: string[] = [];
  return {
    files,
    reads,
    async save(name, bytes) {
      const path = `assets/${files.size + 1}-${name}`;
      files.set(path, bytes);
      return path;
    },
    async read(asset) {
      reads.push(asset);
      const bytes = files.get(asset);
      if (!bytes) throw new ToolError('not_found', `"${asset}" is no longer in the workspace`, 'attach it again');
      return bytes;
    },
  };
}
