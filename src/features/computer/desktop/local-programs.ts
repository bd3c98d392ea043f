import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeCommand } from '../../../desktop/processes/node-command.ts';
import { type ProcessCommand, type ProcessLimits, runProcess } from '../../../desktop/processes/run-process.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { ProgramEnd, ProgramRequest, ProgramsPort } from '../../../tools/contract/programs-port.ts';
import type { ProgramRun } from '../../../tools/contract/types.ts';
import type { AllowedFolders } from './files/allowed-folders.ts';
import { holdFolder } from './files/safe-open.ts';

const GIB = 1024 ** 3;
const isWindows = process.platform === 'win32';

type ScriptLanguage = Exclude<ProgramRun['language'], 'shell'>;

/** The shell gets the command as one argument, as it was shown. */
function shellCommand({ code, folder }: ProgramRun): ProcessCommand {
  if (!isWindows) return { file: '/bin/sh', args: ['-c', code], folder };
  return { file: process.env.COMSPEC ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${code}"`], folder, verbatim: true };
}

/** Bytes of addresses as the system's own limit, where the shell has one; the arguments are passed on, never read by it. */
function limited(memory: number, file: string, args: readonly string[]): Pick<ProcessCommand, 'file' | 'args'> {
  if (process.platform !== 'linux') return { file, args };
  return { file: '/bin/sh', args: ['-c', 'ulimit -v "$0"; exec "$@"', String(Math.ceil((2 * memory) / 1024)), file, ...args] };
}

function interpreter(language: ScriptLanguage, script: string, memory: number): Pick<ProcessCommand, 'file' | 'args' | 'environment'> {
  // Without the person's own settings, and without modules that could replace the standard library.
  if (language === 'python') return limited(memory, isWindows ? 'python' : 'python3', ['-I', script]);
  return nodeCommand(script, memory);
}

/**
 * With the byte order mark that makes Python read UTF-8 only: a comment such as `# coding: unicode_escape` would turn a shown comment
 * into code.
 */
const inUtf8 = (code: string): string => (code.startsWith('\uFEFF') ? code : `\uFEFF${code}`);

/** Runs a script from a folder of its own, so that exactly the shown text runs. */
export async function runScriptText(
  { language, code, folder }: { readonly language: ScriptLanguage; readonly code: string; readonly folder: string },
  limits: ProcessLimits,
  signal: AbortSignal,
  input?: string,
): Promise<ProgramEnd> {
  const own = await mkdtemp(join(tmpdir(), 'marginalia-run-'));
  try {
    const script = join(own, language === 'python' ? 'script.py' : 'script.js');
    await writeFile(script, language === 'python' ? inUtf8(code) : code, { mode: 0o600 });
    const command = { ...interpreter(language, script, limits.memory), folder, input };
    return await runProcess(command, limits, signal);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Commands and scripts on this machine, started in the allowed folders. */
export class LocalPrograms implements ProgramsPort {
  readonly shell = isWindows ? 'cmd' : 'sh';
  private readonly folders: AllowedFolders;
  private readonly memory: number;

  /** @param memory bytes of all processes of a run together. */
  constructor(folders: AllowedFolders, memory = 2 * GIB) {
    this.folders = folders;
    this.memory = memory;
  }

  async prepare({ language, code, folder = '.', timeoutSeconds }: ProgramRequest): Promise<ProgramRun> {
    if (code.includes('\0')) throw new ToolError('bad_arguments', 'the code contains a NUL character', 'leave it out');
    if (language === 'shell' && isWindows && /[\r\n]/u.test(code))
      throw new ToolError('bad_arguments', 'cmd runs a single line only', 'join the commands with &&, or use run_script');
    const place = await this.folders.place(folder);
    const found = await stat(place.path).catch(() => undefined);
    if (!found?.isDirectory()) throw new ToolError('not_found', `there is no folder ${folder}`, 'name an existing folder, or none');
    const held = await holdFolder(place);
    await held.close();
    return { language, code, folder: place.path, timeoutSeconds };
  }

  async run(program: ProgramRun, signal: AbortSignal): Promise<ProgramEnd> {
    // Checked again: a link to somewhere else may be there by now.
    const held = await holdFolder(await this.folders.place(program.folder));
    await held.close();
    const limits = { timeoutMs: program.timeoutSeconds * 1000, memory: this.memory };
    const { language } = program;
    return language === 'shell'
      ? runProcess(shellCommand({ ...program, folder: held.real }), limits, signal)
      : runScriptText({ language, code: program.code, folder: held.real }, limits, signal);
  }
}
