import { randomBytes } from 'node:crypto';
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
  readonly onEnd: () => void;
}

/** Starts a program with our few variables and those given. What it writes to its error output is dropped. Rejects with `program_missing`. */
export async function openProgramPipe(command: Omit<ProcessCommand, 'input'>, { onText, onEnd }: PipeListener): Promise<ProgramPipe> {
  const mark = randomBytes(16).toString('hex');
  const child = await startProcess({ ...command, input: '' }, mark);
  const tree = new ProcessTree(child.pid ?? 0, mark);
  const decoder = new TextDecoder();
  child.stdout?.on('data', (part: Uint8Array) => onText(decoder.decode(part, { stream: true })));
  child.stderr?.resume();
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined);
  child.once('exit', onEnd);
  return {
    write: (text) => new Promise((resolve, reject) => child.stdin?.write(text, (error) => (error ? reject(error) : resolve()))),
    async close() {
      child.stdin?.end();
      await tree.end();
    },
  };
}
