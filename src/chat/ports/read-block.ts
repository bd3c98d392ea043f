import type { BlockReading } from '../../tools/contract/note-readings.ts';

/** A single block with its position: attached to a question, or under the pointer in a citation. */
interface PlacedBlock extends BlockReading {
  readonly document: { readonly id: string; readonly title: string };
  readonly notebook: { readonly id: string; readonly name: string };
}

/** Reads one block, or the beginning of a document by its id (type `d`, hash ''), with the usual rights; rejects with `not_found`. */
export type ReadBlock = (id: string, signal: AbortSignal) => Promise<PlacedBlock>;
