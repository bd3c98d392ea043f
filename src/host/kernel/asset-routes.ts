import * as v from 'valibot';
import { type KernelClient, KernelRefusal } from './kernel-client.ts';

const unused = v.array(v.object({ item: v.string() }));
const stat = v.object({ size: v.number() });

export const MOST_UNUSED = 512;

/** Files of the workspace that notes use. `path`: `assets/…`; with `?box=<notebook>` the file in that notebook's own folder, if it has one. */
export function assetRoutes(call: KernelClient['call']) {
  return {
    /** Paths below the folder of data, the newest first: at most `MOST_UNUSED`. */
    unusedAssets: async (signal: AbortSignal): Promise<readonly string[]> =>
      (await call('/api/asset/getUnusedAssets', {}, (data) => v.parse(unused, data), signal)).map(({ item }) => item),
    assetSize: async (path: string, signal: AbortSignal): Promise<number | null> => {
      try {
        return (await call('/api/asset/statAsset', { path }, (data) => v.parse(stat, data), signal)).size;
      } catch (error) {
        if (error instanceof KernelRefusal && error.kernelCode === 1) return null;
        throw error;
      }
    },
  };
}
