import * as v from 'valibot';
import type { AssetStore } from '../../chat/ports/assets.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { KernelClient } from './kernel-client.ts';

const uploaded = v.object({ errFiles: v.nullish(v.array(v.string())), succMap: v.record(v.string(), v.string()) });

/** `assets/…` that cannot leave that folder, each part encoded for an address. */
function addressOf(asset: string): string {
  const [path = '', query] = asset.split('?', 2);
  const parts = path.split('/');
  if (parts[0] !== 'assets' || parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new ToolError('bad_path', `"${asset}" is no asset`, 'use a path that begins with assets/');
  return `/${parts.map(encodeURIComponent).join('/')}${query === undefined ? '' : `?${query}`}`;
}

/** Assets of the workspace by SiYuan's own routes. */
export function createAssetStore(client: KernelClient): AssetStore {
  return {
    async save(name, bytes, mime, signal) {
      const form = new FormData();
      form.append('file[]', new Blob([new Uint8Array(bytes)], { type: mime }), name);
      const { succMap } = await client.upload('/api/asset/upload', form, (data) => v.parse(uploaded, data), signal);
      // The name in the answer may have characters removed; only one file was sent.
      const [asset] = Object.values(succMap);
      // A file that could not be written gives code 0, and is missing from the map.
      if (asset === undefined)
        throw new ToolError('kernel_refused', `SiYuan did not save "${name}"`, 'check the space on the disk, then attach it again');
      return asset;
    },
    async read(asset, signal) {
      const bytes = await client.readBytes(addressOf(asset), signal);
      if (bytes === null)
        throw new ToolError('not_found', `"${asset}" is no longer in the workspace`, 'attach the file again, or go on without it');
      return bytes;
    },
  };
}
