import { ToolError } from '../../tools/contract/errors.ts';
import type { Access } from './access.ts';

const UNKNOWN = new Set(['not_found', 'no_right', 'encrypted_notebook', 'closed_notebook', 'bad_id']);

/** Ids of blocks that exist and may be read: what the assistant writes may refer to these only. */
export function knownReferences(access: Access, signal: AbortSignal) {
  return async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const known = new Set<string>();
    for (const id of ids) {
      try {
        known.add((await access.locate(id, 'read', signal)).id);
      } catch (error) {
        if (!(error instanceof ToolError) || !UNKNOWN.has(error.code)) throw error;
      }
    }
    // Guarded blocks inside documents that may be read.
    for (const place of (await access.look([...known], signal)).values()) if (!place.readable) known.delete(place.id);
    return known;
  };
}
