import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { ProgramEnd } from '../../../tools/contract/programs-port.ts';
import type { ProgramRun } from '../../../tools/contract/types.ts';
import { fieldOf } from '../../../tools/util/plain-value.ts';
import type { CustomScript, CustomScriptsPort } from '../script/custom-scripts.ts';
import { readManifest, type ScriptTool } from '../script/script-manifest.ts';
import type { AllowedFolders } from './files/allowed-folders.ts';
import { holdFolder } from './files/safe-open.ts';
import { runScriptText } from './local-programs.ts';

export interface LocalScriptsOptions {
  readonly folder: string;
  /** File with the hashes of what was approved. */
  readonly approvals: string;
  /** Scripts start in the working folder. */
  readonly folders: AllowedFolders;
  readonly onProblem?: (problem: string) => void;
}

const MAX_SCRIPTS = 50;
/** Maximum bytes of a script or a manifest: a person must be able to read them. */
const MAX_SIZE = 256 * 1024;
const NAME = /^[a-z][a-z0-9-]{0,19}$/iu;

interface Prepared {
  readonly hash: string;
  readonly tool: ScriptTool;
}

/** Includes the name: what was approved as Python is not approved as JavaScript. */
const hashOf = (file: string, script: string, manifest: string): string =>
  createHash('sha256')
    .update(JSON.stringify([file, script, manifest]))
    .digest('hex');

/** The person's own scripts, in a folder. Each version is approved, script and manifest, before it first runs. */
export class LocalScripts implements CustomScriptsPort {
  private readonly options: LocalScriptsOptions;
  private readonly prepared = new WeakMap<ProgramRun, Prepared>();
  private readonly reported = new Set<string>();

  constructor(options: LocalScriptsOptions) {
    this.options = options;
  }

  list(): readonly CustomScript[] {
    return this.names().flatMap((file) => {
      const script = this.describe(file);
      return script ? [script] : [];
    });
  }

  async prepare(script: CustomScript, tool: string): Promise<ProgramRun> {
    const code = this.read(script.file);
    const manifest = this.read(`${script.name}.json`);
    const found = readManifest(manifest);
    const now = 'tools' in found ? found.tools.find(({ name }) => name === tool) : undefined;
    const before = script.tools.find(({ name }) => name === tool);
    if (now === undefined || JSON.stringify(now) !== JSON.stringify(before))
      throw new ToolError('stale', `${script.name}.json was changed since this chat was opened`, 'tell the user to open the chat again');
    const hash = hashOf(script.file, code, manifest);
    const isNew = !(await this.approved()).has(hash);
    const place = await this.options.folders.place('.');
    const language = script.file.endsWith('.py') ? 'python' : 'javascript';
    const run = {
      file: script.file,
      language,
      code,
      manifest,
      folder: place.path,
      timeoutSeconds: now.timeout,
      isNew: isNew || undefined,
    } as const;
    this.prepared.set(run, { hash, tool: now });
    return run;
  }

  async run(program: ProgramRun, input: string, signal: AbortSignal): Promise<ProgramEnd> {
    const prepared = this.prepared.get(program);
    if (prepared === undefined || program.language === 'shell')
      throw new ToolError('not_approved', 'this script was not approved', 'call the tool through the executor');
    const { hash, tool } = prepared;
    if (program.isNew) await this.approve(hash);
    const held = await holdFolder(await this.options.folders.place('.'));
    await held.close();
    const output = tool.output * 1024;
    const limits = { timeoutMs: tool.timeout * 1000, memory: tool.memory * 1024 ** 2, output: 2 * output, keep: { head: output, tail: 0 } };
    return runScriptText({ language: program.language, code: program.code, folder: held.real }, limits, signal, input);
  }

  /** Files that have a manifest. */
  private names(): readonly string[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.options.folder);
    } catch {
      return []; // No such folder: there are no scripts.
    }
    const scripts = names.filter((file) => /\.(?:py|js)$/u.test(file) && names.includes(`${file.slice(0, -3)}.json`)).sort();
    const once = scripts.filter((file, index) => scripts.findIndex((other) => other.slice(0, -3) === file.slice(0, -3)) === index);
    return once.slice(0, MAX_SCRIPTS);
  }

  private describe(file: string): CustomScript | undefined {
    const name = file.slice(0, -3);
    const problem = (words: string): undefined =>
      this.reportOnce(`${name}.json: ${words} → mend it (docs/guide/scripts.md); its tools are left out`);
    if (!NAME.test(name)) return problem('a name has up to 20 letters, digits and hyphens');
    try {
      const manifest = readManifest(this.read(`${name}.json`));
      return 'problem' in manifest ? problem(manifest.problem) : { name, file, tools: manifest.tools };
    } catch (error) {
      return problem(error instanceof Error ? error.message : 'it cannot be read');
    }
  }

  private read(file: string): string {
    const path = join(this.options.folder, file);
    try {
      const found = statSync(path);
      if (!found.isFile() || found.size > MAX_SIZE)
        throw new ToolError('too_large', `${file} is not a file, or is larger than ${MAX_SIZE} bytes`, 'tell the user');
      return readFileSync(path, 'utf8');
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw new ToolError('not_found', `the script ${file} no longer exists`, 'tell the user');
    }
  }

  /** Without duplicates. */
  private reportOnce(problem: string): undefined {
    if (this.reported.has(problem)) return;
    this.reported.add(problem);
    this.options.onProblem?.(problem);
  }

  /** An unreadable file approves nothing: each script is shown again. */
  private async approved(): Promise<ReadonlySet<string>> {
    try {
      const hashes = fieldOf(JSON.parse(await readFile(this.options.approvals, 'utf8')), 'approved');
      return new Set(Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : []);
    } catch {
      return new Set();
    }
  }

  private async approve(hash: string): Promise<void> {
    const approved = [...(await this.approved()), hash].slice(-1000);
    await mkdir(dirname(this.options.approvals), { recursive: true });
    const draft = `${this.options.approvals}.${randomBytes(4).toString('hex')}.tmp`;
    await writeFile(draft, JSON.stringify({ schema: 1, approved }), { mode: 0o600 });
    await rename(draft, this.options.approvals);
  }
}
