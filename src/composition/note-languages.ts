import { ToolError } from '../tools/contract/errors.ts';
import type { NotesPort } from '../tools/contract/ports.ts';

export interface NoteLanguages {
  /** Those that were found last; none after a change of rights until they are found anew. */
  readonly current: () => readonly string[];
  /** Resolves when they are found, or cannot be. */
  readonly refresh: () => Promise<void>;
}

/** The languages of the notebooks, found when nobody waits for them, and anew after each change of rights. */
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
      // The prompt does without, and nobody asks any more when the panel is gone.
      if (!signal.aborted && !(error instanceof ToolError)) throw error;
    }
  };
  rights.subscribe(() => void refresh());
  return { current: () => known, refresh };
}
