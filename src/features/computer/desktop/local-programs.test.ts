import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listProcesses } from '../../../desktop/processes/process-list.ts';
import { type ApprovalRequest, HeadlessApprovalAdapter, type ToolExecuteResult } from '../../../tools/index.ts';
import { callOptions, testExecutor, testTool } from '../../../tools/testing/support.ts';
import { createScriptGroup } from '../script/script.ts';
import { AllowedFolders } from './files/allowed-folders.ts';
import { LocalPrograms } from './local-programs.ts';

let root: string;
let asked: ApprovalRequest[];
let call: (tool: string, args: object, signal?: AbortSignal) => Promise<ToolExecuteResult>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'marginalia-programs-'));
  mkdirSync(join(root, 'work'));
  asked = [];
  const approvalAdapter = new HeadlessApprovalAdapter((request) => {
    asked.push(request);
    return { approved: true, remember: true };
  });
  const folders = new AllowedFolders({ folders: () => [join(root, 'work')] });
  // What a person set for the tool does not count where a tool says that it always asks.
  const auto = { executionPolicy: 'auto', resultApprovalPolicy: 'never' } as const;
  const { executor } = testExecutor(createScriptGroup(new LocalPrograms(folders, 256 * 1024 ** 2)).tools, {
    approvalAdapter,
    permissions: { exec: auto, run_script: auto },
    timeoutMs: 1000,
  });
  call = (tool, args, signal) => executor.execute(tool, { ...args }, callOptions('c1', signal));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const exec = (command: string, more: object = {}, signal?: AbortSignal) => call('exec', { command, ...more }, signal);
const python = (code: string, more: object = {}) => call('run_script', { language: 'python', code, ...more });
const text = ({ formattedText, finalText }: ToolExecuteResult) => formattedText ?? finalText ?? '';

/** Processes whose command line names this test's own folder. */
async function left(): Promise<number> {
  const names = await Promise.all((await listProcesses()).filter(({ ended }) => !ended).map(({ pid }) => commandLine(pid)));
  return names.filter((line) => line.includes(root)).length;
}
async function commandLine(pid: number): Promise<string> {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Each tries to be more than one argument, or something else than what is shown. */
const COMMANDS: readonly (readonly [string, string])[] = [
  ['echo one; echo two', 'one\ntwo'],
  ['echo "$(echo inner)" `echo ticks`', 'inner ticks'],
  ["printf '%s' 'it'\\''s'", "it's"],
  ['echo a && echo b || echo c', 'a\nb'],
  ['echo first\necho second', 'first\nsecond'],
  ['echo "$0|$#|$1"', '/bin/sh|0|'],
  ['cat <<EOF\n$HOME-less\nEOF'.replace('$HOME', 'home'), 'home-less'],
  ["echo '$(touch never)' '\"'", '$(touch never) "'],
  ['echo -n; echo --; echo -c', '--\n-c'],
  ['echo \u202eevil', '\u202eevil'],
];

describe.skipIf(process.platform === 'win32')('exec', () => {
  it('gives the exit code and both streams', async () => {
    const result = await exec('echo out; echo err >&2; exit 3');
    expect(text(result)).toMatch(/^exit code: 3 \(\d+\.\d s\)\n\[stdout\]\nout\n\[stderr\]\nerr$/);
    expect(result).toMatchObject({ status: 'success', isPrivate: true });
    expect(text(await exec('true'))).toContain('exit code: 0');
  });

  it.each(COMMANDS)('runs exactly what is shown: %j', async (command, output) => {
    expect(text(await exec(command))).toContain(`[stdout]\n${output}\n[stderr: empty]`);
    expect(asked.map(({ program }) => program)).toEqual([
      { language: 'shell', code: command, folder: join(root, 'work'), timeoutSeconds: 60 },
    ]);
    expect(readdirSync(join(root, 'work'))).toEqual([]);
  });

  it('is asked about each time, whatever was set or allowed, and offers nothing to remember', async () => {
    await exec('true');
    await exec('true');
    expect(asked.map(({ scope }) => scope)).toEqual([undefined, undefined]);
  });

  it('starts in the allowed folders only, also through a link', async () => {
    mkdirSync(join(root, 'work', 'inner'));
    symlinkSync('/', join(root, 'work', 'out'));
    expect(text(await exec('pwd', { folder: 'inner' }))).toContain('/work/inner\n');
    expect((await exec('pwd', { folder: '..' })).error?.code).toBe('outside_folders');
    expect((await exec('pwd', { folder: 'out' })).error?.code).toBe('outside_folders');
    expect((await exec('pwd', { folder: '/etc' })).error?.code).toBe('outside_folders');
    expect((await exec('pwd', { folder: 'gone' })).error?.code).toBe('not_found');
    expect(asked).toHaveLength(1);
  });

  it('passes on no token, key or setting of ours', async () => {
    for (const name of [
      'OPENAI_API_KEY',
      'MARGINALIA_KERNEL_TOKEN',
      'MARGINALIA_SERVICE_TOKEN',
      'GITHUB_TOKEN',
      'LD_PRELOAD_X',
      'NODE_OPTIONS',
    ])
      vi.stubEnv(name, 'the-secret-value');
    const result = await exec('env; cat /proc/self/environ | tr "\\0" "\\n"');
    expect(text(result)).toContain('PATH=');
    expect(text(result)).not.toContain('the-secret-value');
  });

  it('keeps the beginning and the end of a long output, and counts the rest', async () => {
    const result = await exec('seq 1 200000');
    expect(result.formattedText).toMatch(/\[stdout\]\n1\n2\n[\s\S]*\n\[… \d{6,} bytes left out …\]\n[\s\S]*\n200000\n\[stderr: empty\]$/);
  });

  it('has an own time limit, not the one of other calls', async () => {
    expect((await exec('sleep 1.5; echo done')).status).toBe('success');
  });

  it('takes a timeout of at most ten minutes, and no NUL', async () => {
    expect((await exec('true', { timeout: 601 })).error?.code).toBe('bad_arguments');
    expect((await exec('true', { timeout: 0 })).error?.code).toBe('bad_arguments');
    expect((await exec('echo a\0b')).error?.code).toBe('bad_arguments');
    expect((await exec('  ')).error?.code).toBe('empty_text');
    expect(asked).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a program that', () => {
  it('runs too long is ended with all that it started, and what it said is told', async () => {
    const result = await exec(`echo begun; sh -c 'sleep 60; : ${root}' & sleep 60; : ${root}`, { timeout: 1 });
    expect(result.error).toMatchObject({ code: 'timeout', message: expect.stringContaining('longer than 1 s') });
    expect(result.finalText).toContain('begun');
    expect(await left()).toBe(0);
  });

  it('prints for ever is ended', async () => {
    const result = await exec(`yes ${root}`);
    expect(result.error?.code).toBe('program_limit');
    expect(await left()).toBe(0);
  });

  it('fills memory is ended, alone or through its children', async () => {
    const result = await python("import time\nx = b'x' * (400 * 1024 ** 2)\ntime.sleep(30)");
    expect(result.error?.code).toBe('program_limit');
    const children = `for i in 1 2 3; do python3 -c "x = b'x' * (120 * 1024 ** 2); import time; time.sleep(30)" & done; wait; : ${root}`;
    expect((await exec(children)).error?.code).toBe('program_limit');
    // Beyond the system's own limit it does not get that far.
    expect(text(await python("x = b'x' * (3 * 1024 ** 3)"))).toContain('MemoryError');
  });

  it('forks is ended: too many at once, and those that left for a session of their own', async () => {
    const many = await exec(`i=0; while [ $i -lt 250 ]; do sleep 30 & i=$((i+1)); done; wait; : ${root}`);
    expect(many.error?.code).toBe('program_limit');
    const away = `setsid sh -c 'setsid sh -c "sleep 60; : ${root}" & sleep 60; : ${root}' & sleep 60; : ${root}`;
    expect((await exec(away, { timeout: 1 })).error?.code).toBe('timeout');
    expect(await left()).toBe(0);
  });

  it('leaves something running when it ends leaves nothing', async () => {
    const result = await exec(`(sleep 60; : ${root}) & (setsid sh -c 'sleep 60; : ${root}' &) ; echo away`);
    expect(text(result)).toContain('[stdout]\naway');
    expect(await left()).toBe(0);
  });

  it('throws its environment away and leaves for a session of its own is found all the same', async () => {
    const away = `env -i /usr/bin/setsid /bin/sh -c '(sleep 60; : ${root}) >/dev/null 2>&1 </dev/null &'`;
    expect((await exec(away)).status).toBe('success');
    expect(await left()).toBe(0);
  });

  it('does not want to end is ended on abort all the same', async () => {
    const stop = new AbortController();
    const running = exec(`trap '' TERM; touch started; while :; do sleep 1; : ${root}; done`, {}, stop.signal);
    await vi.waitFor(() => expect(existsSync(join(root, 'work', 'started'))).toBe(true));
    stop.abort();
    expect((await running).status).toBe('aborted');
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 5000 });
  });
});

describe.skipIf(process.platform === 'win32')('run_script', () => {
  it('runs Python and JavaScript as they were shown, in the working folder', async () => {
    const code = "import os, sys\nprint(os.getcwd().split('/')[-1], sys.flags.isolated, '$(touch never) \"; echo')";
    expect(text(await python(code))).toContain('[stdout]\nwork 1 $(touch never) "; echo\n');
    expect(asked[0]?.program).toEqual({ language: 'python', code, folder: join(root, 'work'), timeoutSeconds: 60 });
    const js = 'import { basename } from "node:path";\nconsole.log(basename(process.cwd()), 1 + 1);';
    expect(text(await call('run_script', { language: 'javascript', code: js }))).toContain('[stdout]\nwork 2\n');
    expect(readdirSync(join(root, 'work'))).toEqual([]);
  });

  it('reads a script in the letters in which it was shown, whatever it says of its encoding', async () => {
    for (const named of ['utf-7', 'unicode_escape', 'raw_unicode_escape']) {
      const result = await python(`# coding: ${named}\n# a note \\u000aprint("hidden")\n# +AAo-print("hidden")\nprint("seen")`);
      expect(text(result)).not.toContain('hidden\n');
      expect(text(result)).toContain('encoding problem');
    }
    expect(text(await python('# coding: utf-8\nprint("é")'))).toContain('[stdout]\né\n');
  });

  it('tells how a script failed', async () => {
    const result = await python('print(1)\nraise ValueError("no")');
    expect(text(result)).toMatch(/^exit code: 1 /);
    expect(text(result)).toContain('ValueError: no');
  });

  it('takes no other language', async () => {
    expect((await call('run_script', { language: 'ruby', code: 'puts 1' })).error?.code).toBe('bad_arguments');
  });
});

describe('what runs on the machine', () => {
  it('is refused with “local only” on', async () => {
    const folders = new AllowedFolders({ folders: () => [join(root, 'work')] });
    const { executor } = testExecutor(createScriptGroup(new LocalPrograms(folders)).tools, { localOnly: () => true });
    expect((await executor.execute('exec', { command: 'true' })).error?.code).toBe('local_only');
  });

  it('counts as private, so that what leaves the machine afterwards is shown', async () => {
    const permission = { executionPolicy: 'auto', resultApprovalPolicy: 'never' } as const;
    const send = testTool('send', { effect: 'outgoing', permission, outgoing: () => ({ url: 'https://example.com', body: '' }) });
    const folders = new AllowedFolders({ folders: () => [join(root, 'work')] });
    const { executor, asked: shown } = testExecutor([...createScriptGroup(new LocalPrograms(folders)).tools, send]);
    await executor.execute('run_script', { language: 'javascript', code: 'console.log(1)' });
    await executor.execute('send', {});
    expect(shown.map(({ tool }) => tool)).toEqual(['run_script', 'send']);
  });

  it('is started in one place, never through a line for a shell', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.includes('.test.'),
    );
    const starting = sources.filter((path) => readFileSync(join('src', path), 'utf8').includes("from 'node:child_process'"));
    expect(starting.sort()).toEqual([
      'desktop/processes/process-list.ts',
      'desktop/processes/process-tree.ts',
      'desktop/processes/run-process.ts',
    ]);
    for (const path of starting) expect(readFileSync(join('src', path), 'utf8')).not.toMatch(/\bexec\(|execSync|shell: true/u);
  });
});
