import { ToolError } from '../tools/contract/errors.ts';
import type { NotesPort } from '../tools/contract/ports.ts';

export interface NoteLanguages {
  /** The last result; empty after a change of rights until they are detected again. */
  readonly current: () => readonly string[];
  /** Resolves when they are found, or cannot be. */
  readonly refresh: () => Promise<void>;
}

/** The languages of the notebooks, detected in the background, and again after each change of rights. */
export function noteLanguages(
  notes: Pick<NotesPort, 'languages'>,
  rights: { subscribe(listener: () => void): unknown },
  signal: AbortSignal,
): NoteLanguages {
  let known: readonly string[] = [];
  let latest = 0;
  const refresh = async (): Promise<void> => {
    latest += 1;
    const turn = latest;
    known = [];
    try {
      const found = await notes.languages(signal);
      if (turn === latest) known = found;
    } catch (error) {
      // The prompt works without them, and nobody needs them when the panel is gone.
      if (!signal.aborted && !(error instanceof ToolError)) throw error;
    }
  };
  rights.subscribe(() => void refresh());
  return { current: () => known, refresh };
}
