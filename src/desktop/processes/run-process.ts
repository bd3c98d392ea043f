import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ProgramEnd } from '../../tools/contract/programs-port.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { programEnvironment } from './environment.ts';
import { OutputKeeper } from './output.ts';
import { canList } from './process-list.ts';
import { ProcessTree } from './process-tree.ts';
import { markedCommand } from './run-mark.ts';

export interface ProcessCommand {
  /** A program, not a command line for a shell. */
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** Written to its standard input, which is then closed; absent: it has none. */
  readonly input?: string | Uint8Array;
  /** On Windows the arguments are passed on unchanged. */
  readonly verbatim?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ProcessLimits {
  readonly timeoutMs: number;
  /** Memory of all its processes together in bytes; enforced if the system reports it (not on Windows). */
  readonly memory: number;
  /** Bytes of both streams; default 16 MiB. */
  readonly output?: number;
  /** Bytes of each stream that are kept. */
  readonly keep?: { readonly head: number; readonly tail: number };
}

const MAX_OUTPUT = 16 * 1024 * 1024;
const KEEP = { head: 32 * 1024, tail: 32 * 1024 };
const MAX_PROCESSES = 200;
/** Milliseconds. */
const LOOK_EVERY = process.platform === 'linux' ? 200 : 1000;
const MAY_CLEAN_UP = 500;

type Exceeded = NonNullable<ProgramEnd['exceeded']>;

/** Whether a shell would find a program. On Windows the system itself answers when the program is started. */
async function isThere(file: string, folder: string, path = ''): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const places = file.includes('/') ? [resolve(folder, file)] : path.split(':').map((place) => join(place, file));
  const checks = places.map((place) => access(place, constants.X_OK).then(() => true));
  return Promise.any(checks).catch(() => false);
}

/** Starts a program in a group of its own; rejects with `program_missing` if there is none. */
export async function startProcess(
  { file, args, folder, input, verbatim, environment }: ProcessCommand,
  mark: string,
): Promise<ChildProcess> {
  const env = { ...programEnvironment(mark), ...environment };
  if (!(await isThere(file, folder, env.PATH)))
    throw new ToolError('program_missing', `no program named ${file} was found`, 'install it, or write its whole path');
  return new Promise((resolve, reject) => {
    const [program, all] = markedCommand(mark, file, args);
    const child = spawn(program, [...all], {
      cwd: folder,
      env,
      detached: process.platform !== 'win32',
      shell: false,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: verbatim === true,
    });
    child.once('spawn', () => resolve(child));
    child.once('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      const why = missing ? `${file} is not installed here, or ${folder} is gone` : `${file} could not be started`;
      reject(new ToolError('program_missing', why, 'tell the user', error.message));
    });
  });
}

/** Supervises a running program: its limits, and the end of everything that it started. */
class Watch {
  exceeded: Exceeded | undefined;
  private readonly tree: ProcessTree;
  private readonly limits: ProcessLimits;
  private readonly timers: (ReturnType<typeof setInterval> | ReturnType<typeof setTimeout>)[] = [];
  private ending: Promise<void> | undefined;
  private looking = false;

  constructor(pid: number, mark: string, limits: ProcessLimits) {
    this.tree = new ProcessTree(pid, mark);
    this.limits = limits;
    this.timers.push(setTimeout(() => this.exceed('time'), limits.timeoutMs));
    if (canList) this.timers.push(setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY));
  }

  exceed(what: Exceeded): void {
    this.exceeded ??= what;
    inBackground(this.end(what === 'time'));
  }

  /** `gently`: it gets a moment to clean up. Resolves when nothing of it runs. */
  end(gently: boolean): Promise<void> {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.ending ??= (async () => {
      if (gently) {
        await this.tree.ask();
        for (const until = Date.now() + MAY_CLEAN_UP; canList && Date.now() < until; await new Promise((next) => setTimeout(next, 25)))
          if ((await this.tree.running()).length === 0) break;
      }
      await this.tree.end();
    })();
    return this.ending;
  }

  private async look(): Promise<void> {
    if (this.looking || this.ending !== undefined) return;
    this.looking = true;
    try {
      const running = await this.tree.running();
      if (running.length > MAX_PROCESSES) this.exceed('processes');
      else if (running.reduce((sum, { memory }) => sum + memory, 0) > this.limits.memory) this.exceed('memory');
    } finally {
      this.looking = false;
    }
  }
}

/**
 * Runs a program to its end, or ends it: at its limits, on abort, and whatever it left running after it ended. Rejects with
 * `program_missing` or `aborted`, when nothing of it runs any more.
 */
export async function runProcess(command: ProcessCommand, limits: ProcessLimits, signal: AbortSignal): Promise<ProgramEnd> {
  const stopped = (): ToolError =>
    new ToolError('aborted', 'the program was stopped, with everything that it had started', 'ask the user whether to go on');
  if (signal.aborted) throw stopped();
  const mark = randomBytes(16).toString('hex');
  const began = performance.now();
  const child = await startProcess(command, mark);
  const watch = new Watch(child.pid ?? 0, mark, limits);
  const onAbort = (): void => inBackground(watch.end(true));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const [stdout, stderr] = [new OutputKeeper(limits.keep ?? KEEP), new OutputKeeper(limits.keep ?? KEEP)];
  const take = (keeper: OutputKeeper) => (chunk: Uint8Array) => {
    if (watch.exceeded === 'output') return;
    keeper.add(chunk);
    if (stdout.total + stderr.total > (limits.output ?? MAX_OUTPUT)) watch.exceed('output');
  };
  child.stdout?.on('data', take(stdout));
  child.stderr?.on('data', take(stderr));
  // A program that does not read its input closes it early.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(command.input);
  try {
    const exitCode = await ended(child, watch);
    if (signal.aborted) throw stopped();
    const kept = { stdout: stdout.kept(), stderr: stderr.kept() };
    const exceeded = watch.exceeded === undefined ? {} : { exceeded: watch.exceeded };
    return { exitCode, ...kept, durationMs: Math.round(performance.now() - began), ...exceeded };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The exit code, once nothing of it runs and its streams are read. A process elsewhere that keeps a stream open is not awaited. */
async function ended(child: ChildProcess, watch: Watch): Promise<number | null> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  await watch.end(false);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1000))]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return code;
}
