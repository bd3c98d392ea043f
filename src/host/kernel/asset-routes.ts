import * as v from 'valibot';
import { type KernelClient, KernelRefusal } from './kernel-client.ts';

const stat = v.object({ size: v.number() });

/** Files of the workspace that notes use. `path`: `assets/…`; with `?box=<notebook>` the file in that notebook's own folder, if it has one. */
export function assetRoutes(call: KernelClient['call']) {
  return {
    /** Bytes; null if there is no such file. */
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
