import type { KernelClient, ParseData } from './kernel-client.ts';

/** Databases (attribute views). `parse` reads what is needed of their data; reading makes none that is missing. */
export function databaseRoutes(call: KernelClient['call']) {
  return {
    /** A database as it is stored; null for one that is not there. */
    database: <T>(id: string, parse: ParseData<T>, signal: AbortSignal): Promise<T> =>
      call('/api/av/getAttributeView', { id }, parse, signal),
    /** A view with all rows, as SiYuan filters and sorts it. Without `viewID` the one that the block shows. */
    drawnDatabase: <T>(
      { id, blockID, viewID }: { readonly id: string; readonly blockID: string; readonly viewID?: string | undefined },
      parse: ParseData<T>,
      signal: AbortSignal,
    ): Promise<T> => {
      const request = { id, blockID, page: 1, pageSize: 100_000, createIfNotExist: false };
      return call('/api/av/renderAttributeView', viewID === undefined ? request : { ...request, viewID }, parse, signal);
    },
    databaseKeys: <T>(avID: string, parse: ParseData<T>, signal: AbortSignal): Promise<T> =>
      call('/api/av/getAttributeViewKeysByAvID', { avID }, parse, signal),
  };
}
