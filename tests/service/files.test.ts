// The tools for files through the real service: consent over HTTP, and the folders that it was given.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEARCH_KEY, startSearchServer } from '../support/search-server.ts';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-folder-'));
  bench = await startServiceBench({ folders: [folder] });
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

it('has no tools for files until the group is on', async () => {
  bench.model.push({ text: 'Hello.' });
  await (await bench.send({ message: 'Hello', stream: false })).json();
  expect(bench.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).not.toContain('read_file');
});

it('reads and writes files of its folder once each is approved, and shows what will be written', async () => {
  await bench.settings({ groups: { files: true } });
  writeFileSync(join(folder, 'README.md'), '# CountBot\n');
  bench.model.push(
    { calls: [{ name: 'read_file', args: { path: 'README.md', show_line_numbers: true } }] },
    { calls: [{ name: 'write_file', args: { path: 'notes/new.md', content: 'Read.\n' } }] },
    { text: 'Done.' },
  );
  const events = eventsOf(await bench.send({ message: '读取 README.md 文件' }));
  const reading = await nextEvent(events, 'approval_request');
  expect(reading.data).toMatchObject({ tool: 'read_file', arguments: { path: 'README.md' }, scope: folder });
  await bench.json(`/api/chat/approvals/${reading.data.id}`, { decision: 'approve' });
  expect((await nextEvent(events, 'tool_complete')).data.result).toBe('[File: README.md | Lines: 1]\n 1| # CountBot');
  const writing = await nextEvent(events, 'approval_request');
  expect(writing.data).toMatchObject({ plan: { operations: [{ to: 'notes/new.md', before: null, after: 'Read.\n' }] } });
  expect(existsSync(join(folder, 'notes'))).toBe(false);
  await bench.json(`/api/chat/approvals/${writing.data.id}`, { decision: 'approve' });
  await nextEvent(events, 'done');
  expect(readFileSync(join(folder, 'notes/new.md'), 'utf8')).toBe('Read.\n');
});

it('refuses other folders and keys without asking', async () => {
  mkdirSync(join(folder, '.ssh'));
  writeFileSync(join(folder, '.ssh/id_rsa'), 'the private key');
  bench.model.push({ calls: [{ name: 'read_file', args: { paths: ['../../etc/passwd', '.ssh/id_rsa'] } }] }, { text: 'No.' });
  const events = eventsOf(await bench.send({ message: 'Read them.' }));
  const seen = [];
  for await (const { event, data } of events) seen.push({ event, data });
  expect(seen.map(({ event }) => event)).not.toContain('approval_request');
  expect(seen.find(({ event }) => event === 'tool_error')?.data).toMatchObject({ tool: 'read_file', error: { code: 'outside_folders' } });
  expect(JSON.stringify(bench.model.requests.at(-1))).not.toContain('private key');
});

it('shows what leaves after a file was read, though the service was restarted and its variables are gone', async () => {
  const search = await startSearchServer();
  writeFileSync(join(folder, 'pin.txt'), 'The PIN is 4711.');
  const engine = { provider: 'searxng', address: `${search.url}/searx` };
  await bench.settings({ groups: { files: true, web: true, vars: true }, search: engine });
  await bench.restart({ searchEndpoints: search.endpoints, searchKey: SEARCH_KEY });
  /** Tools that were asked about, and the ids of the calls. */
  const turn = async (message: string, name: string, args: object) => {
    bench.model.push({ calls: [{ name, args }] }, { text: 'Done.' });
    const [asked, ids]: [unknown[], unknown[]] = [[], []];
    for await (const { event, data } of eventsOf(await bench.send({ session_id: 'private', message }))) {
      if (event === 'tool_start') ids.push(data.id);
      if (event !== 'approval_request') continue;
      asked.push(data.tool);
      await bench.json(`/api/chat/approvals/${String(data.id)}`, { decision: 'approve' });
    }
    return { asked, id: String(ids[0]) };
  };
  const searching = () => turn('Search.', 'web_search', { query: 'tides' });
  expect([(await searching()).asked, (await searching()).asked]).toEqual([['web_search'], []]);
  const { id } = await turn('Read.', 'read_file', { path: 'pin.txt' });
  await turn('Forget.', 'RemoveVars', { names: [`read_file_${id}_result`, `read_file_${id}_args`] });
  expect(await bench.read('sessions/private.json')).not.toContain('"name":"read_file_');
  await bench.restart({ searchEndpoints: search.endpoints, searchKey: SEARCH_KEY });
  expect((await searching()).asked).toEqual(['web_search']);
  search.close();
});
