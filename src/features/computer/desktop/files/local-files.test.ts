import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalRequest, ToolExecuteResult } from '../../../../tools/index.ts';
import { HeadlessApprovalAdapter } from '../../../../tools/index.ts';
import { callOptions, testClock, testExecutor, testTool } from '../../../../tools/testing/support.ts';
import { createFilesGroup } from '../../files/files.ts';
import { LocalFiles } from './local-files.ts';

let root: string;
let files: LocalFiles;
let asked: ApprovalRequest[];
let call: (tool: string, args: object, callId?: string) => Promise<ToolExecuteResult>;
/** Runs while an approval is open. */
let meanwhile: () => void;

const allowed = (name = '') => join(root, 'allowed', name);
const put = (name: string, text: string | Uint8Array = '') => {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'marginalia-files-'));
  mkdirSync(join(root, 'siyuan', 'marginalia'), { recursive: true });
  mkdirSync(join(root, 'second'));
  put('outside.txt', 'a secret elsewhere');
  files = new LocalFiles({
    folders: () => [allowed(), join(root, 'second'), join(root, 'siyuan')],
    reserved: () => [{ folder: join(root, 'siyuan'), open: 'marginalia' }],
    log: join(root, 'journal'),
    now: testClock().now,
  });
  asked = [];
  meanwhile = () => undefined;
  const approvalAdapter = new HeadlessApprovalAdapter((request) => {
    asked.push(request);
    meanwhile();
    return { approved: true };
  });
  const { executor } = testExecutor(createFilesGroup(files).tools, { approvalAdapter });
  call = (tool, args, callId = 'c1') => executor.execute(tool, { ...args }, callOptions(callId));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const text = ({ formattedText, finalText }: ToolExecuteResult) => formattedText ?? finalText;

describe('read_file', () => {
  it('gives a file with its path, its count of lines and their numbers', async () => {
    put('allowed/README.md', '# CountBot\n\nCountBot 是一个框架。\n');
    const read = await call('read_file', { path: 'README.md' });
    expect(text(read)).toBe('[File: README.md | Lines: 3]\n 1| # CountBot\n 2| \n 3| CountBot 是一个框架。');
    expect(read.finalText).toContain('<untrusted-data tool="read_file">');
  });

  it('gives a range, and no numbers where none are wanted', async () => {
    put('allowed/a.txt', 'one\r\ntwo\nthree\nfour');
    expect(text(await call('read_file', { path: 'a.txt', start_line: 2, end_line: 3 }))).toBe(
      '[File: a.txt | Lines: 2-3 of 4]\n 2| two\n 3| three',
    );
    expect(text(await call('read_file', { path: allowed('a.txt'), show_line_numbers: false }))).toBe(
      '[File: a.txt | Lines: 4]\none\ntwo\nthree\nfour',
    );
    expect((await call('read_file', { path: 'a.txt', start_line: 9 })).error?.code).toBe('past_end');
    expect((await call('read_file', { path: 'a.txt', start_line: 3, end_line: 2 })).error?.code).toBe('bad_arguments');
  });

  it('gives several files, each failure in its place, and a summary', async () => {
    put('allowed/a.txt', 'one\n');
    put('allowed/b.txt', 'two\nthree\n');
    expect(text(await call('read_file', { paths: ['a.txt', 'gone.txt', 'b.txt'] }))).toBe(
      [
        '[File: a.txt | Lines: 1]\n 1| one',
        '[File: gone.txt | Error: not_found: there is no gone.txt → call list_files to see what is there]',
        '[File: b.txt | Lines: 2]\n 1| two\n 2| three',
        '[Summary: 2 of 3 files read | 1 failed | Lines: 3]',
      ].join('\n\n'),
    );
    expect(await call('read_file', { paths: ['no', 'none'] })).toMatchObject({ status: 'error', error: { code: 'not_found' } });
  });

  it('takes one of path and paths, and a range for one file only', async () => {
    for (const args of [{}, { path: 'a', paths: ['b'] }, { paths: [] }, { paths: ['a', 'b'], start_line: 2 }])
      expect((await call('read_file', args)).error?.code).toBe('bad_arguments');
  });

  it('refuses what is not text, is too large, or is no file', async () => {
    put('allowed/picture.bin', new Uint8Array([0x89, 0x50, 0, 1]));
    put('allowed/latin.txt', new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
    put('allowed/large.txt', 'x'.repeat(5 * 1024 * 1024 + 1));
    mkdirSync(allowed('folder'));
    const codes = await Promise.all(
      ['picture.bin', 'latin.txt', 'large.txt', 'folder'].map(async (path) => (await call('read_file', { path })).error?.code),
    );
    expect(codes).toEqual(['not_text', 'not_text', 'too_large', 'not_a_file']);
  });

  it('asks once for a folder, and again for another', async () => {
    put('allowed/a.txt', 'a');
    put('second/b.txt', 'b');
    for (const path of ['a.txt', allowed('a.txt'), join(root, 'second', 'b.txt'), 'a.txt'])
      expect((await call('read_file', { path })).status).toBe('success');
    expect(asked.map(({ scope }) => scope)).toEqual([allowed(), join(root, 'second')]);
  });

  it('counts as private: what leaves the machine afterwards is shown', async () => {
    put('allowed/a.txt', 'a');
    const permission = { executionPolicy: 'auto', resultApprovalPolicy: 'never' } as const;
    const send = testTool('send', { effect: 'outgoing', permission, outgoing: () => ({ url: 'https://example.com', body: '' }) });
    const { executor, asked: shown } = testExecutor([...createFilesGroup(files).tools, send]);
    await executor.execute('send', {});
    await executor.execute('read_file', { path: 'a.txt' });
    await executor.execute('send', {});
    expect(shown.map(({ tool }) => tool)).toEqual(['read_file', 'send']);
  });
});

/** Each way out of the folders: what a path says, and links that stand in a folder. */
const WAYS_OUT: readonly (readonly [string, string, string])[] = [
  ['a step up', '../outside.txt', 'outside_folders'],
  ['steps up through a folder', 'sub/../../outside.txt', 'outside_folders'],
  ['an absolute path', '/etc/passwd', 'outside_folders'],
  ['a folder whose name only begins alike', '../allowed-not/x', 'outside_folders'],
  ['a link to a file', 'link.txt', 'outside_folders'],
  ['a link to a folder', 'up/outside.txt', 'outside_folders'],
  ['a link to a link', 'chain.txt', 'outside_folders'],
  ['a home folder', '~/.bashrc', 'bad_path'],
  ['a network path', '//server/share/x', 'bad_path'],
  ['a network path of Windows', '\\\\server\\share\\x', 'bad_path'],
  ['a drive', 'C:\\Windows\\win.ini', 'bad_path'],
  ['a device path of Windows', '\\\\.\\PhysicalDrive0', 'bad_path'],
  ['NUL', 'a.txt\0.png', 'bad_path'],
  ['a line break', 'a\nb', 'bad_path'],
  ['nothing', ' ', 'bad_path'],
  ['a key', '.ssh/id_ed25519', 'secret_file'],
  ['a key in capitals', '.SSH/ID_RSA', 'secret_file'],
  ['a certificate’s key', 'certs/server.pem', 'secret_file'],
  ['an environment', 'app/.env.local', 'secret_file'],
  ['SiYuan’s tokens', 'conf/conf.json', 'secret_file'],
  ['a note as a file', 'data/20240101000000-abcdefg.sy', 'secret_file'],
  ['a link to a secret in the folder', 'innocent.txt', 'secret_file'],
];

describe.skipIf(process.platform === 'win32')('every file tool refuses', () => {
  beforeEach(() => {
    put('allowed/sub/x', '');
    put('allowed-not/x', 'x');
    put('allowed/.env', 'KEY=1');
    symlinkSync(join(root, 'outside.txt'), allowed('link.txt'));
    symlinkSync(root, allowed('up'));
    symlinkSync(allowed('link.txt'), allowed('chain.txt'));
    symlinkSync(allowed('.env'), allowed('innocent.txt'));
  });

  it.each(WAYS_OUT)('%s', async (_what, path, code) => {
    const before = readFileSync(join(root, 'outside.txt'), 'utf8');
    for (const [tool, more] of [
      ['read_file', {}],
      ['list_files', {}],
      ['write_file', { content: 'x' }],
    ] as const) {
      const result = await call(tool, { path, ...more });
      expect([tool, result.error?.code]).toEqual([tool, code]);
      expect(JSON.stringify(result)).not.toContain('a secret elsewhere');
    }
    expect(asked.filter(({ tool }) => tool === 'write_file')).toEqual([]);
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe(before);
  });

  it('what is in SiYuan’s workspace, but for its folder marginalia', async () => {
    put('siyuan/data/notes.md', 'closed');
    put('siyuan/marginalia/files/own.txt', 'open');
    symlinkSync(join(root, 'siyuan', 'data'), join(root, 'siyuan', 'marginalia', 'in'));
    for (const path of ['data/notes.md', 'marginalia/in/notes.md'])
      expect((await call('read_file', { path: join(root, 'siyuan', path) })).error?.code).toBe('secret_file');
    expect((await call('read_file', { path: join(root, 'siyuan', 'marginalia/files/own.txt') })).status).toBe('success');
  });

  it('a pipe and a device, without waiting for them', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', allowed('pipe')]);
    expect((await call('read_file', { path: 'pipe' })).error?.code).toBe('not_a_file');
    expect((await call('write_file', { path: 'pipe', content: 'x' })).error?.code).toBe('not_a_file');
    const device = new LocalFiles({ folders: () => ['/dev'], log: join(root, 'journal'), now: () => 0 });
    await expect(device.read('zero', new AbortController().signal)).rejects.toMatchObject({ code: 'not_a_file' });
  });

  it('a link that takes the place of a folder while the approval is open', async () => {
    put('allowed/notes/a.txt', 'mine');
    meanwhile = () => {
      rmSync(allowed('notes'), { recursive: true });
      mkdirSync(join(root, 'elsewhere'));
      writeFileSync(join(root, 'elsewhere', 'a.txt'), 'mine');
      symlinkSync(join(root, 'elsewhere'), allowed('notes'));
    };
    expect((await call('write_file', { path: 'notes/a.txt', content: 'theirs' })).error?.code).toBe('outside_folders');
    expect(readFileSync(join(root, 'elsewhere', 'a.txt'), 'utf8')).toBe('mine');
  });
});

describe('list_files', () => {
  beforeEach(() => {
    for (const name of ['b.md', 'a.txt', 'notes/plan.md', 'notes/old/deep.md', '.env', '.ssh/id_rsa']) put(`allowed/${name}`, 'abc');
  });

  it('lists a folder, or several levels of it, without the names of secrets', async () => {
    expect(text(await call('list_files', {}))).toBe(
      '[Folder: . | Entries: 3]\na.txt (3 bytes)\nb.md (3 bytes)\nnotes/\n(2 not shown: their names suggest secrets)',
    );
    expect(text(await call('list_files', { path: 'notes', depth: 2 }))).toBe(
      '[Folder: notes | Entries: 3]\nold/\nold/deep.md (3 bytes)\nplan.md (3 bytes)',
    );
  });

  it('finds by a pattern', async () => {
    expect(text(await call('list_files', { pattern: '*.md' }))).toContain(
      'Entries: 3]\nb.md (3 bytes)\nnotes/old/deep.md (3 bytes)\nnotes/plan.md',
    );
    expect(text(await call('list_files', { pattern: 'notes/*.md' }))).toContain('Entries: 1]\nnotes/plan.md');
    expect(text(await call('list_files', { pattern: 'notes/**/d*p.md' }))).toContain('Entries: 1]\nnotes/old/deep.md');
    expect(text(await call('list_files', { pattern: `${'*a'.repeat(90)}b` }))).toContain('Entries: 0]');
  });

  it('gives long folders by pages', async () => {
    for (let index = 0; index < 201; index++) put(`allowed/many/${String(index).padStart(3, '0')}`, '');
    expect(text(await call('list_files', { path: 'many' }))).toMatch(
      /^\[Folder: many \| Entries: 201 \| Page: 1 of 2\]\n000[\s\S]*next: list_files path=many page=2$/,
    );
    expect(text(await call('list_files', { path: 'many', page: 2 }))).toBe('[Folder: many | Entries: 201 | Page: 2 of 2]\n200 (0 bytes)');
  });
});

describe('write_file', () => {
  it('shows the file as it is and as it will be, and writes exactly that', async () => {
    put('allowed/a.txt', 'one\n');
    const wrote = await call('write_file', { path: 'a.txt', content: 'two\n', mode: 'append' });
    expect(asked[0]?.plan).toMatchObject({
      tool: 'write_file',
      undo: { kind: 'exact' },
      operations: [{ action: 'write-file', to: 'a.txt', before: 'one\n', after: 'one\ntwo\n' }],
    });
    expect(asked[0]?.scope).toBeUndefined();
    expect(wrote).toMatchObject({ status: 'success', written: { undoable: true } });
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(allowed())).toEqual(['a.txt']);
  });

  it('makes a new file with its folders, and keeps the mode of an old one', async () => {
    expect((await call('write_file', { path: 'new/deep/a.txt', content: 'x' })).status).toBe('success');
    expect(asked[0]?.plan?.operations[0]).toMatchObject({ before: null, after: 'x' });
    execFileSync('chmod', ['640', allowed('new/deep/a.txt')]);
    await call('write_file', { path: 'new/deep/a.txt', content: 'y' });
    expect(execFileSync('ls', ['-l', allowed('new/deep/a.txt')], { encoding: 'utf8' })).toMatch(/^-rw-r-----/);
  });

  it('writes nothing where the file was changed while the approval was open, or came to be', async () => {
    put('allowed/a.txt', 'one');
    meanwhile = () => put('allowed/a.txt', 'somebody else');
    expect((await call('write_file', { path: 'a.txt', content: 'x' })).error?.code).toBe('stale');
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('somebody else');
    meanwhile = () => put('allowed/b.txt', 'new');
    expect((await call('write_file', { path: 'b.txt', content: 'x' })).error?.code).toBe('stale');
    expect(readFileSync(allowed('b.txt'), 'utf8')).toBe('new');
  });

  it('says where there is nothing to write, and refuses to write over what is not text', async () => {
    put('allowed/a.txt', 'one');
    put('allowed/b.bin', new Uint8Array([0]));
    expect((await call('write_file', { path: 'a.txt', content: 'one' })).error?.code).toBe('no_change');
    expect((await call('write_file', { path: 'b.bin', content: 'x' })).error?.code).toBe('not_text');
    expect(asked).toEqual([]);
  });
});

describe('Undo of files', () => {
  const signal = new AbortController().signal;

  it('undoes what a message wrote, newest first, after a restart too', async () => {
    put('allowed/a.txt', 'one\n');
    await call('write_file', { path: 'a.txt', content: 'two\n', mode: 'append' }, 'c1');
    await call('write_file', { path: 'a.txt', content: 'three\n', mode: 'append' }, 'c2');
    await call('write_file', { path: 'b/new.txt', content: 'x' }, 'c3');
    const again = new LocalFiles({ folders: () => [allowed()], log: join(root, 'journal'), now: () => 0 });
    expect(await again.state('s1', 'n1')).toEqual({ blocks: 2, files: 2, kind: 'exact', undone: false });
    expect(await again.changes('s1', 'n1', 'c2')).toMatchObject([{ before: 'one\ntwo\n', after: 'one\ntwo\nthree\n' }]);
    expect((await again.undo('s1', 'n1', signal)).conflicts).toEqual([]);
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(allowed('b/new.txt'))).toBe(false);
    expect(await again.state('s1', 'n1')).toMatchObject({ undone: true, redo: 2 });
    expect((await again.redo('s1', 'n1', signal)).conflicts).toEqual([]);
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(readFileSync(allowed('b/new.txt'), 'utf8')).toBe('x');
    expect((await again.undo('s1', 'n1', signal)).conflicts).toEqual([]);
    put('allowed/a.txt', 'mine');
    expect((await again.redo('s1', 'n1', signal)).conflicts).toMatchObject([
      { reasons: [{ code: 'file-changed' }] },
      { reasons: [{ code: 'file-changed' }] },
    ]);
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('mine');
    expect(await again.state('s1', 'other')).toMatchObject({ blocks: 0, kind: 'none' });
  });

  it('leaves a file alone that was changed since, and says so', async () => {
    put('allowed/a.txt', 'one');
    await call('write_file', { path: 'a.txt', content: 'two' });
    put('allowed/a.txt', 'mine');
    expect((await files.undo('s1', 'n1', signal)).conflicts).toEqual([
      { blockId: '', reasons: [{ code: 'file-changed', title: allowed('a.txt') }] },
    ]);
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('mine');
    put('allowed/a.txt', 'two');
    expect((await files.undo('s1', 'n1', signal)).conflicts).toEqual([]);
    expect(readFileSync(allowed('a.txt'), 'utf8')).toBe('one');
  });

  it('does not follow a link that stands in the file’s place by now', async () => {
    put('allowed/a.txt', 'one');
    await call('write_file', { path: 'a.txt', content: 'two' });
    rmSync(allowed('a.txt'));
    writeFileSync(join(root, 'outside.txt'), 'two');
    symlinkSync(join(root, 'outside.txt'), allowed('a.txt'));
    expect((await files.undo('s1', 'n1', signal)).conflicts).toMatchObject([{ reasons: [{ code: 'file-refused' }] }]);
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('two');
  });

  it('knows that an intent whose write never came has nothing to undo', async () => {
    put('allowed/a.txt', 'one');
    const planned = await files.plan({ path: 'a.txt', content: 'two', mode: 'overwrite' }, signal);
    const stopped = new AbortController();
    const writing = files.write(planned, { sessionId: 's1', nodeId: 'n1', callId: 'c1' }, stopped.signal);
    stopped.abort();
    await expect(writing).rejects.toMatchObject({ code: 'aborted' });
    expect(await files.state('s1', 'n1')).toMatchObject({ blocks: 0 });
  });
});
