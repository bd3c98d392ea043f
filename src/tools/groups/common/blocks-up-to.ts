import type { BlockReading, DocumentReading } from '../../contract/note-readings.ts';
import type { NotesPort } from '../../contract/ports.ts';

export const BLOCKS_AT_ONCE = 200;

/** The blocks of a note of which the first are read, up to `most`, rounded up to whole readings. Rejects like the notes. */
export async function blocksUpTo(
  notes: Pick<NotesPort, 'document'>,
  { id, blocks, totalBlocks }: DocumentReading,
  most: number,
  signal: AbortSignal,
): Promise<readonly BlockReading[]> {
  const read = [...blocks];
  while (read.length < Math.min(totalBlocks, most)) {
    const next = await notes.document({ id }, { start: read.length, blocks: BLOCKS_AT_ONCE }, signal);
    if (next.blocks.length === 0) break;
    read.push(...next.blocks);
  }
  return read;
}
