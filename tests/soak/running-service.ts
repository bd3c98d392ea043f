// The built service as a process of its own, so that its memory is its own, in front of the development host and a scripted model.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildService } from '../../esbuild.config.mjs';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

const root = dirname(dirname(import.meta.dirname));
const TOKEN = 'the-token-of-the-service';

/** Prints the heap, in bytes, after all garbage is gone. */
const ON_SIGNAL = "process.on('SIGUSR2', () => { gc(); gc(); console.error('heap ' + process.memoryUsage().heapUsed); });";

export interface RunningService {
  /** Changes with each start. */
  readonly url: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: ModelServer;
  /** MB of its heap after a collection, and of all its memory. */
  memory(): Promise<{ readonly heap: number; readonly resident: number }>;
  /** As `kill -9`, then again. */
  killAndStart(): Promise<void>;
  close(): Promise<void>;
}

interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
}

/** Starts a program of this project, which says `ready URL` when it serves. */
async function startProgram(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Program> {
  const child = spawn(process.execPath, args, { env });
  let output = '';
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output += part;
        const url = /ready (http:\S+)/.exec(output)?.[1];
        if (url) resolve(url);
      });
    child.once('exit', () => reject(new Error(`${args.join(' ')} did not start: ${output.slice(-2000)}`)));
  });
  return { child, url: await ready, output: () => output };
}

/** Ends it, and resolves when it is gone. */
async function endProgram({ child }: Program, signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The kernel works on what the service saves: in a process of its own it takes no time from who measures. */
const startKernel = (workspace: string): Promise<Program> =>
  startProgram([join(root, 'devhost/main.ts'), '--kernel-only', '--port', '0', '--workspace', workspace, '--index-delay', '20']);

function startBuilt(file: string, kernel: string, data: string, model: string): Promise<Program> {
  const flags = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`, file];
  return startProgram([...flags, '--kernel', kernel, '--port', '0', '--data', data], {
    ...{ MARGINALIA_SERVICE_TOKEN: TOKEN, OPENAI_BASE_URL: model, OPENAI_API_KEY: 'k', OPENAI_MODEL: 'scripted' },
  });
}

/** `modelAddress`: of another model than the scripted one. */
export async function startRunningService(modelAddress?: string): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-soak-'));
  const { file } = await buildService(join(folder, 'dist-service'));
  const kernel = await startKernel(join(folder, 'workspace'));
  const model = await startModelServer();
  const again = (): Promise<Program> =>
    startBuilt(file, kernel.url.replace(/\/$/, ''), join(folder, 'data'), modelAddress ?? model.baseURL);
  let running = await again();
  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid ?? 0;
    },
    headers: { Authorization: `Bearer ${TOKEN}` },
    model,
    async memory() {
      const before = running.output().length;
      running.child.kill('SIGUSR2');
      let heap: string | undefined;
      while (heap === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        heap = /heap (\d+)\n/.exec(running.output().slice(before))?.[1];
      }
      const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1];
      return { heap: Number(heap) / 1e6, resident: Number(pages) / 1e3 };
    },
    async killAndStart() {
      await endProgram(running, 'SIGKILL');
      running = await again();
    },
    async close() {
      await endProgram(running);
      await model.close();
      await endProgram(kernel);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
