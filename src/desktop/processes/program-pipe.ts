import { randomBytes } from 'node:crypto';
import { inBackground } from '../../tools/util/notify.ts';
import { ProcessTree } from './process-tree.ts';
import { type ProcessCommand, startProcess } from './run-process.ts';

/** A program that runs until it is closed, and the texts that it writes and reads. */
export interface ProgramPipe {
  write(text: string): Promise<void>;
  /** Ends it with everything that it started. */
  close(): Promise<void>;
}

export interface PipeListener {
  readonly onText: (text: string) => void;
  readonly onEnd: (why?: string) => void;
}

/** Characters of the error output. */
const ERRORS = 2000;
const REST_MS = 200;

/** How a program ended. A shell ends with 126 or 127 where it could not run what it was given. */
function endWords(file: string, code: number, errors: string): string {
  const what = code === 126 || code === 127 ? `${file}, or a program that it starts, was not found or cannot be run` : `${file} ended`;
  const said = errors.trim().split('\n').slice(-5).join('\n');
  return `${what} (exit ${code})${said === '' ? '' : `: ${said}`}`;
}

/** Starts a program with our few variables and those given. Of its error output the end is kept, for the reason why it ended. Rejects with `program_missing`. */
export async function openProgramPipe(command: Omit<ProcessCommand, 'input'>, { onText, onEnd }: PipeListener): Promise<ProgramPipe> {
  const mark = randomBytes(16).toString('hex');
  const child = await startProcess({ ...command, input: '' }, mark);
  const tree = new ProcessTree(child.pid ?? 0, mark);
  const decoder = new TextDecoder();
  child.stdout?.on('data', (part: Uint8Array) => onText(decoder.decode(part, { stream: true })));
  let errors = '';
  child.stderr?.on('data', (part: Uint8Array) => {
    errors = `${errors}${Buffer.from(part).toString('utf8')}`.slice(-ERRORS);
  });
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined);
  child.once('exit', (code) => {
    // The rest of its error output may still come; what it started may hold that open for ever.
    const rest = new Promise((resolve) => child.stderr?.once('close', resolve));
    const ended = code === 0 || code === null ? () => onEnd() : () => onEnd(endWords(command.file, code, errors));
    inBackground(Promise.race([rest, new Promise((resolve) => setTimeout(resolve, REST_MS).unref())]).then(ended));
  });
  return {
    write: (text) => new Promise((resolve, reject) => child.stdin?.write(text, (error) => (error ? reject(error) : resolve()))),
    async close() {
      child.stdin?.end();
      await tree.end();
    },
  };
}
