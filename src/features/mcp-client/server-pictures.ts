import type { AssetStore } from '../../chat/ports/assets.ts';
import { MAX_PICTURE, pictureKind } from '../../model/media/file-kind.ts';
import { isAbort } from '../../tools/contract/errors.ts';

/**
 * Pictures in results of other people's servers become files of the workspace: the chat shows them, and only their addresses go to a model.
 * PNG, JPEG, WebP and GIF by their bytes, whatever the server says.
 */
export function keepPictures(assets: AssetStore) {
  return async (name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string | null> => {
    const kind = bytes.length <= MAX_PICTURE ? pictureKind(bytes) : null;
    if (!kind) return null;
    try {
      return await assets.save(`${name}.${kind.extension}`, bytes, kind.mime, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      // The call was made, and its text counts: in a workspace that is read-only there is no picture beside it.
      return null;
    }
  };
}
