import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../host.ts';
import { loadSampleDocuments } from './documents.ts';
import { type SeedReport, seedSampleWorkspace } from './workspace.ts';

let folder: string;
let host: RunningHost;
let report: SeedReport;

async function post(path: string, body: object): Promise<{ code: number; msg: string; data: never }> {
  const response = await fetch(new URL(path, host.url), { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as { code: number; msg: string; data: never };
}

async function rows(stmt: string): Promise<Record<string, unknown>[]> {
  return (await post('/api/query/sql', { stmt, mode: 'readonly' })).data;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sample-'));
  host = await startHost({ workspace: folder, indexDelayMs: 0 });
  report = await seedSampleWorkspace(post);
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the sample in the development kernel', () => {
  it('leaves nothing out', () => {
    expect(report.skipped).toEqual([]);
    expect(report.documents).toBe(loadSampleDocuments().length);
  });

  it('keeps every id and path, and every reference resolves', async () => {
    for (const document of loadSampleDocuments()) {
      const { kramdown } = (await post('/api/block/getBlockKramdown', { id: document.id, mode: 'md' })).data as { kramdown: string };
      for (const id of document.defines) expect(kramdown, document.path).toContain(`id="${id}"`);
      for (const id of document.refersTo) expect(kramdown, document.path).toContain(`((${id} "`);
      expect((await post('/api/filetree/getHPathByID', { id: document.id })).data).toBe(document.path);
    }
    const [refs] = await rows('SELECT count(*) AS n FROM refs LIMIT 1');
    expect(Number(refs?.n)).toBeGreaterThanOrEqual(report.references);
    expect(await rows('SELECT block_id FROM refs WHERE def_block_id NOT IN (SELECT id FROM blocks) LIMIT 9')).toEqual([]);
  });

  it('has one long document', async () => {
    const [draft] = await rows("SELECT count(*) AS n FROM blocks WHERE root_id = '20260915090000-draft01' LIMIT 1");
    expect(Number(draft?.n)).toBeGreaterThan(150);
  });

  it('keeps attributes of documents and blocks, and has no note for 2026-11-22', async () => {
    expect((await post('/api/attr/getBlockAttrs', { id: '20260125100501-srdefin' })).data).toMatchObject({ name: 'spaced-repetition' });
    expect((await post('/api/attr/getBlockAttrs', { id: '20260125100000-spacrep' })).data).toMatchObject({ 'custom-status': 'evergreen' });
    for (const { id } of report.notebooks) {
      expect((await post('/api/filetree/getIDsByHPath', { notebook: id, path: '/daily note/2026/11/2026-11-22' })).data).toEqual([]);
    }
  });
});
