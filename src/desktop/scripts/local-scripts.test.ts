import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openComputerTools } from '../../features/computer/desktop/computer-tools.ts';
import { type ApprovalRequest, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../tools/index.ts';
import { testClock } from '../../tools/testing/support.ts';

let own: string;
let asked: ApprovalRequest[];
let problems: string[];
let approve: boolean;
/** Runs while an approval is open. */
let meanwhile: () => void;

const at = (name: string) => join(own, 'scripts', name);
const put = (name: string, text: string) => writeFileSync(at(name), text);
const manifest = (more: object = {}) =>
  JSON.stringify({ tools: [{ name: 'run', description: 'Runs.', parameters: { type: 'object', properties: { n: {} } }, ...more }] });
const script = (name: string, code: string, more: object = {}) => {
  put(`${name}.py`, code);
  put(`${name}.json`, manifest(more));
};
const ECHO = 'import json, sys\nprint(json.dumps(json.load(sys.stdin)))';

beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'marginalia-scripts-'));
  const guide = join(import.meta.dirname, '../../../docs/guide');
  mkdirSync(at(''));
  for (const name of ['table.py', 'table.json', 'reading.js', 'reading.json']) copyFileSync(join(guide, name), at(name));
  [asked, problems, approve, meanwhile] = [[], [], true, () => undefined];
});
afterEach(() => rmSync(own, { recursive: true, force: true }));

/** A chat with all of its groups on. */
function openChat(permissions = {}): ToolExecutor {
  const tools = openComputerTools({ own, folders: () => [], reserved: [], now: () => 0, onProblem: (problem) => problems.push(problem) });
  const approvalAdapter = new HeadlessApprovalAdapter((request) => {
    asked.push(request);
    meanwhile();
    return { approved: approve };
  });
  const groups = tools.groups();
  const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
  return toolExecutorFactory({ approvalAdapter, clock: testClock(), groups, groupDefaults, permissions });
}
describe('scripts of the guide', () => {
  it('turn rows into a table, and tell how long a text takes to read', async () => {
    const chat = openChat();
    const table = await chat.execute('script_table_to_markdown', { text: 'name,born\nAnna,1990\n"Li, Wei",1985' });
    expect(table.data).toEqual({ markdown: '| name | born |\n| --- | --- |\n| Anna | 1990 |\n| Li, Wei | 1985 |', rows: 2 });
    const reading = await chat.execute('script_reading_time', { text: '# Heat\n\nStreet trees help. 间隔重复' });
    expect(reading.data).toEqual({ words: 8, minutes: 1, headings: ['# Heat'] });
  });

  it('print what the model reads: a long number, the order of keys and their repetition are not touched', async () => {
    const printed = '{"z": 12345678901234567891, "a": 1.0, "a": 2}';
    script('exact', `print('${printed}')`);
    const chat = openChat();
    expect((await chat.execute('script_exact_run', {})).finalText).toContain(printed);
    const list = `[${Array.from({ length: 2000 }, () => '12345678901234567891').join(',')}]`;
    script('long', `print('${list}')`);
    const { finalText = '' } = await openChat().execute('script_long_run', {});
    expect(finalText.match(/\d{15,}/gu)?.every((number) => number === '12345678901234567891')).toBe(true);
  });

  it('get variables by reference, and are off until somebody turns them on', async () => {
    const chat = openChat();
    chat.varSystem.addVariable('rows', 'a\tb\n1\t2', 'LLMAdd');
    expect((await chat.execute('script_table_to_markdown', { text: '$VAR_REF{{rows}}' })).data).toMatchObject({ rows: 1 });
    chat.toggleGroupEnabled('script:table', false);
    expect((await chat.execute('script_table_to_markdown', { text: 'a' })).error?.code).toBe('tool_disabled');
  });
});

describe('a script of the person’s own', () => {
  it('is shown whole before its first run, and again when it or its manifest changes; also where settings ask nothing', async () => {
    script('own', ECHO, { executionPolicy: 'ask-once', effect: 'read' });
    const auto = { script_own_run: { executionPolicy: 'auto', resultApprovalPolicy: 'never' } };
    const isNew = async (): Promise<boolean[]> => {
      asked = [];
      const chat = openChat(auto);
      for (const n of [1, 2]) expect((await chat.execute('script_own_run', { n })).data).toEqual({ tool: 'run', arguments: { n } });
      return asked.map(({ program }) => program?.isNew === true);
    };
    expect(await isNew()).toEqual([true]);
    expect(asked[0]?.program).toMatchObject({ language: 'python', file: 'own.py', code: ECHO, timeoutSeconds: 60 });
    expect(await isNew()).toEqual([false]);
    put('own.py', `${ECHO}\n# changed`);
    expect(await isNew()).toEqual([true]);
    put('own.json', manifest({ executionPolicy: 'ask-once', effect: 'read', timeout: 30 }));
    expect(await isNew()).toEqual([true]);
    put('own.py', ECHO);
    put('own.json', manifest({ executionPolicy: 'ask-once', effect: 'read' }));
    expect(await isNew()).toEqual([false]);
    // What was read as Python may mean something else as JavaScript.
    renameSync(at('own.py'), at('own.js'));
    await openChat().execute('script_own_run', {});
    expect(asked.at(-1)?.program).toMatchObject({ file: 'own.js', manifest: expect.stringContaining('"tools"'), isNew: true });
  });

  it('that was rejected is not approved, and runs what was shown where it is changed meanwhile', async () => {
    script('own', ECHO);
    const chat = openChat();
    approve = false;
    expect((await chat.execute('script_own_run', {})).status).toBe('execution_rejected');
    approve = true;
    meanwhile = () => put('own.py', 'print("something else")');
    expect((await chat.execute('script_own_run', {})).data).toEqual({ tool: 'run', arguments: {} });
    expect(asked.map(({ program }) => program?.isNew)).toEqual([true, true]);
    expect(JSON.parse(readFileSync(join(own, 'script-approvals.json'), 'utf8')).approved).toHaveLength(1);
  });

  it('asks each time where it says nothing of consent, and can ask for no less', async () => {
    script('own', ECHO);
    const chat = openChat();
    await chat.execute('script_own_run', {});
    await chat.execute('script_own_run', {});
    expect(asked.map(({ scope }) => scope)).toEqual([undefined, undefined]);
    script('loose', ECHO, { executionPolicy: 'auto' });
    expect(openChat().getTool('script_loose_run')).toBeUndefined();
    expect(problems.at(-1)).toMatch(/^loose\.json: tools\.0\.executionPolicy: .* → mend it/);
  });

  it('that cannot be read costs no other, and is told once', () => {
    put('broken.py', '');
    put('broken.json', '{');
    put('bad name.py', '');
    put('bad name.json', manifest());
    put('alone.py', '');
    const chat = openChat();
    chat.groups();
    expect(chat.groups().map(({ name }) => name)).toContain('script:table');
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['bad name.json', 'broken.json']);
  });

  it.each([
    ['fails', 'import sys\nsys.exit("no such note")', {}, 'script_failed', 'no such note'],
    ['prints no JSON', 'print("hello")', {}, 'script_failed', ''],
    ['prints for ever', 'while True: print("x" * 1000)', { output: 4 }, 'program_limit', ''],
    ['runs too long', 'import time\ntime.sleep(60)', { timeout: 1 }, 'timeout', ''],
    ['fills memory', 'import time\nx = b"x" * (200 * 1024 ** 2)\ntime.sleep(30)', { memory: 100 }, 'script_failed', 'MemoryError'],
  ])('that %s is an error with what it said', async (_what, code, more, error, said) => {
    script('own', code, more);
    const result = await openChat().execute('script_own_run', {});
    expect(result.error?.code).toBe(error);
    expect(result.finalText).toContain(said);
  });

  it('whose manifest changed since the chat was opened does not run', async () => {
    script('own', ECHO);
    const chat = openChat();
    put('own.json', manifest({ effect: 'read' }));
    expect((await chat.execute('script_own_run', {})).error?.code).toBe('stale');
    expect(asked).toEqual([]);
  });

  it('is out of reach of the tools for files', async () => {
    const chat = openChat();
    const result = await chat.execute('write_file', { path: at('table.py'), content: 'x' });
    expect(result.error?.code).toBe('outside_folders');
  });

  it('is out of reach where its folder is not there yet, by whatever name; so is what the system tells of our own process', async () => {
    rmSync(at(''), { recursive: true });
    symlinkSync(own, `${own}-link`);
    const { groups } = openComputerTools({ own: `${own}-link`, folders: () => [own, '/'], reserved: [], now: () => 0 });
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: true }));
    const chat = toolExecutorFactory({ approvalAdapter, clock: testClock(), groups: groups(), groupDefaults: { files: true } });
    const write = async (path: string) => (await chat.execute('write_file', { path, content: 'x' })).error?.code;
    try {
      expect([await write('scripts/own.py'), await write('script-approvals.json'), await write('note.txt')]).toEqual([
        'secret_file',
        'secret_file',
        undefined,
      ]);
      if (process.platform === 'linux')
        expect((await chat.execute('read_file', { path: '/proc/self/environ' })).error?.code).toBe('secret_file');
    } finally {
      rmSync(`${own}-link`);
    }
  });
});
