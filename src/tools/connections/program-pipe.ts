/** Cuts text that arrives in pieces of any length, and searches each letter once: a long message can arrive letter by letter. */
export class WholePieces {
  private readonly separator: RegExp;
  private readonly longest: number;
  private parts: string[] = [];
  /** The end of what is here, which may be the beginning of a separator. */
  private seam = '';
  length = 0;

  /** `longest`: UTF-16 units of a separator. */
  constructor(separator: RegExp, longest: number) {
    this.separator = separator;
    this.longest = longest;
  }

  take(text: string): readonly string[] {
    const seam = this.seam + text;
    this.parts.push(text);
    this.length += text.length;
    this.seam = seam.slice(Math.max(0, seam.length - this.longest + 1));
    if (!this.separator.test(seam)) return [];
    const whole = this.parts.join('').split(this.separator);
    this.keep(whole.pop() ?? '');
    return whole;
  }

  end(): string {
    const rest = this.parts.join('');
    this.keep('');
    return rest;
  }

  private keep(rest: string): void {
    this.parts = [rest];
    this.length = rest.length;
    this.seam = rest.slice(Math.max(0, rest.length - this.longest + 1));
  }
}

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
