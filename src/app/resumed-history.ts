import type { Progress } from '../tools/contract/plans.ts';
import type { UndoReport, WriteHistory } from '../tools/contract/ports.ts';

export interface ResumeDeps {
  /** A note for the next page of this window; null for none. */
  readonly note: { get(): string | null; set(text: string | null): void };
  /** Never resolves in a page that ends. */
  readonly pageStays: () => Promise<void>;
  readonly signal: AbortSignal;
}

interface Begun {
  readonly action: 'undo' | 'redo';
  readonly sessionId: string;
  readonly nodeId: string;
  readonly callId?: string;
  /** The number of pages that continued it. */
  readonly pages: number;
}

/** More document levels than anybody has; beyond that it is not SiYuan's reload that ends the page. */
const MOST_PAGES = 30;

function parseNote(text: string | null): Begun | null {
  if (text === null) return null;
  try {
    const { action, sessionId, nodeId, callId, pages } = Object(JSON.parse(text));
    if (action !== 'undo' && action !== 'redo') return null;
    if (typeof sessionId !== 'string' || typeof nodeId !== 'string' || typeof pages !== 'number' || pages >= MOST_PAGES) return null;
    return { action, sessionId, nodeId, pages, callId: typeof callId === 'string' ? callId : undefined };
  } catch {
    return null;
  }
}

/**
 * SiYuan reloads its page whenever it has restored a document from its history, in the middle of an Undo or a Redo with more to
 * do: the next page continues it. Both detect what is done already. States are announced once that is over.
 */
export function resumeHistory(history: WriteHistory, { note, pageStays, signal }: ResumeDeps): WriteHistory {
  const carryOut = async (begun: Begun, ends: AbortSignal, progress?: Progress): Promise<UndoReport> => {
    note.set(JSON.stringify(begun));
    try {
      return await history[begun.action](begun.sessionId, begun.nodeId, ends, begun.callId, progress);
    } finally {
      await pageStays();
      note.set(null);
    }
  };
  const begin = (action: Begun['action']): WriteHistory['undo'] => {
    return (sessionId, nodeId, ends, callId, progress) => carryOut({ action, sessionId, nodeId, pages: 0, callId }, ends, progress);
  };
  const cutOff = parseNote(note.get());
  // If it fails again, its state says what is left to do.
  const resumed = cutOff ? carryOut({ ...cutOff, pages: cutOff.pages + 1 }, signal).catch(() => undefined) : Promise.resolve();
  return {
    ...history,
    state: async (...call) => {
      await resumed;
      return history.state(...call);
    },
    undo: begin('undo'),
    redo: begin('redo'),
  };
}
