import { spawn } from 'node:child_process';
import { canList, listProcesses, type ProcessInfo } from './process-list.ts';
import { carriesMark } from './run-mark.ts';

const ROUNDS = 40;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/**
 * A process and everything it started: its group, the children of its members, and, on Linux, whatever has its mark, so that one
 * that started a new session is found too.
 */
export class ProcessTree {
  private readonly root: number;
  private readonly mark: string;
  /** By `pid started`: each is inspected once. */
  private readonly marked = new Map<string, boolean>();
  private readonly members = new Set<string>();

  constructor(root: number, mark: string) {
    this.root = root;
    this.mark = mark;
  }

  /** The running ones. */
  async running(): Promise<readonly ProcessInfo[]> {
    const all = await listProcesses();
    const byPid = new Map(all.map((each) => [each.pid, each]));
    const found: ProcessInfo[] = [];
    for (const each of all) {
      if (!(await this.belongs(each, byPid))) continue;
      this.members.add(keyOf(each));
      if (!each.ended) found.push(each);
    }
    return found;
  }

  /** Gives them a moment to end by themselves. */
  async ask(): Promise<void> {
    if (!canList) return;
    for (const { pid } of await this.running()) send(pid, 'SIGTERM');
  }

  /** Ends all of them, including those started meanwhile. */
  async end(): Promise<void> {
    if (!canList) return endOnWindows(this.root);
    for (let round = 0; round < ROUNDS; round++) {
      send(-this.root, 'SIGKILL');
      const rest = await this.running();
      if (rest.length === 0) return;
      for (const { pid } of rest) send(pid, 'SIGKILL');
      await pause(25);
    }
  }

  private async belongs(each: ProcessInfo, byPid: ReadonlyMap<number, ProcessInfo>): Promise<boolean> {
    if (each.pid === process.pid) return false;
    if (each.pid === this.root || each.group === this.root || this.members.has(keyOf(each))) return true;
    for (let above = byPid.get(each.parent), steps = 0; above && steps < 100; above = byPid.get(above.parent), steps++)
      if (above.pid === this.root || this.members.has(keyOf(above))) return true;
    const known = this.marked.get(keyOf(each));
    const carries = known ?? (await carriesMark(each.pid, this.mark));
    this.marked.set(keyOf(each), carries);
    return carries;
  }
}

const keyOf = ({ pid, started }: ProcessInfo): string => `${pid} ${started}`;

function endOnWindows(root: number): Promise<void> {
  return new Promise((resolve) => {
    const ending = spawn('taskkill', ['/PID', String(root), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    ending.once('error', () => resolve());
    ending.once('close', () => resolve());
  });
}
