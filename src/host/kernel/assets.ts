import * as v from 'valibot';
import type { AssetStore } from '../../chat/ports/assets.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { putBytes } from './byte-files.ts';
import type { KernelClient } from './kernel-client.ts';

const uploaded = v.object({ errFiles: v.nullish(v.array(v.string())), succMap: v.record(v.string(), v.string()) });

/** An `assets/…` path that cannot leave that folder, each part URL-encoded. */
function addressOf(asset: string): string {
  const [path = '', query] = asset.split('?', 2);
  const parts = path.split('/');
  if (parts[0] !== 'assets' || parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new ToolError('bad_path', `"${asset}" is not an asset`, 'use a path that begins with assets/');
  return `/${parts.map(encodeURIComponent).join('/')}${query === undefined ? '' : `?${query}`}`;
}

export function createAssetStore(client: KernelClient): AssetStore {
  return {
    async save(name, bytes, mime, signal) {
      const form = new FormData();
      form.append('file[]', new Blob([new Uint8Array(bytes)], { type: mime }), name);
      const { succMap } = await client.upload('/api/asset/upload', form, (data) => v.parse(uploaded, data), signal);
      // SiYuan may have removed characters from the name; only one file was sent.
      const [asset] = Object.values(succMap);
      // For a file that could not be written the code is 0, but the map lacks it.
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

/** Copies a file, and SiYuan's notes on a PDF beside it. `to`: a path in the workspace. Rejects like the store. */
export async function copyAsset(client: KernelClient, { from, to }: { readonly from: string; readonly to: string }, signal: AbortSignal) {
  await putBytes(client, to, new Uint8Array(await createAssetStore(client).read(from, signal)), signal);
  const [path, query] = from.split('?', 2);
  const marks = await client.readBytes(addressOf(`${path}.sya${query === undefined ? '' : `?${query}`}`), signal);
  if (marks !== null) await putBytes(client, `${to}.sya`, marks, signal);
}
