import { WholePieces } from './whole-pieces.ts';

/** A running program; see desktop/processes/program-pipe.ts. */
export interface Pipe {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a program. `why`: how it ended by itself, with the last lines of its error output. */
export type OpenPipe = (listener: { readonly onText: (text: string) => void; readonly onEnd: (why?: string) => void }) => Promise<Pipe>;

const MAX_MESSAGE = 10 * 1024 * 1024;

/** Takes text as it arrives and gives each whole line, without space around it; calls `onEndless` for a line that is too long. */
export function lineReader(onLine: (line: string) => void, onEndless: () => void): (text: string) => void {
  const lines = new WholePieces(/\n/, 1);
  return (text) => {
    for (const line of lines.take(text)) onLine(line.trim());
    if (lines.length <= MAX_MESSAGE) return;
    lines.end();
    onEndless();
  };
}
