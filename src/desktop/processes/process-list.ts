// The processes of this machine, as far as the system reports them.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Distinguishes a process from a later one with the same number. */
  readonly started: string;
  /** Bytes in memory. */
  readonly memory: number;
  /** Ended, and kept in the list only until its parent reads its status. */
  readonly ended: boolean;
}

const PAGE = 4096;

/** `pid (name) state ppid pgrp session …`; the name may hold anything, brackets too. */
function readStat(text: string): ProcessInfo | undefined {
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const [state = '', parent, group] = fields;
  const pid = Number.parseInt(text, 10);
  if (close < 0 || Number.isNaN(pid)) return undefined;
  const memory = Number(fields[21]) * PAGE;
  return { pid, parent: Number(parent), group: Number(group), started: fields[19] ?? '', memory, ended: state === 'Z' || state === 'X' };
}

async function linuxProcesses(): Promise<readonly ProcessInfo[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const found = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').then(readStat, () => undefined)));
  return found.filter((each) => each !== undefined);
}

const runFile = promisify(execFile);

async function unixProcesses(): Promise<readonly ProcessInfo[]> {
  const { stdout } = await runFile('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,rss=,state=,lstart='], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, memory, state = '', ...started] = line.trim().split(/\s+/u);
    if (!pid) return [];
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), memory: Number(memory) * 1024 };
    return [{ ...numbers, started: started.join(' '), ended: state.startsWith('Z') }];
  });
}

/** Windows has its own way to end a process tree, and none to inspect one here. */
export const canList = process.platform !== 'win32';

export function listProcesses(): Promise<readonly ProcessInfo[]> {
  return process.platform === 'linux' ? linuxProcesses() : unixProcesses();
}

/** Whether a process was started with this text in its environment; false if the system does not say. */
export async function hasInEnvironment(pid: number, text: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(text);
}

/** How many file locks a process may have; undefined if the system does not say. */
export async function lockLimitOf(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const [, most] = limits.match(/^Max file locks +\d+ +(\d+)/mu) ?? [];
  return most === undefined ? undefined : Number(most);
}
