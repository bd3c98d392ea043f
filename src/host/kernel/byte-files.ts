import { NEVER } from '../../tools/util/abort.ts';
import type { KernelClient } from './kernel-client.ts';

/** Files that are no text, by paths relative to a root; nothing is aborted. */
export interface ByteFiles {
  /** Null if there is none. */
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  writeBytes(path: string, bytes: Uint8Array<ArrayBuffer> | Blob): Promise<void>;
}

export const createByteFiles = (client: KernelClient, root: string): ByteFiles => ({
  readBytes: (path) => client.readBytes('/api/file/getFile', NEVER, { path: `${root}/${path}` }),
  writeBytes: (path, bytes) => putBytes(client, `${root}/${path}`, bytes, NEVER),
});

/** Writes a whole file. `path`: in the workspace. */
export async function putBytes(
  client: KernelClient,
  path: string,
  bytes: Uint8Array<ArrayBuffer> | Blob,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  form.append('path', path);
  form.append('isDir', 'false');
  form.append('file', new Blob([bytes]));
  await client.upload('/api/file/putFile', form, () => undefined, signal);
}
