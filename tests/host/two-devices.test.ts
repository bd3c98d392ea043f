import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrittenBlocks } from '../../src/features/provenance/written-blocks.ts';
import { freshId } from '../../src/host/blocks/block-dom.ts';
import { hashOfContent } from '../../src/host/blocks/block-hash.ts';
import { sourcesIn } from '../../src/host/blocks/source-attributes.ts';
import { modelWords } from '../../src/host/journal/hand-edits.ts';
import { full, runCount } from '../support/property-runs.ts';
import { HER, KINDS, MODEL, Program, words } from './hand-history.ts';
import { realKernelUrl } from './real-kernel.ts';
import { signal, startBench, type TestBench } from './support.ts';

const ID = /"ID": ?"(\d{14}-[0-9a-z]{7})"/g;
const clock = { now: () => Date.now(), today: () => '' };

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
      )
    : [];

/** As SiYuan keeps the older of two versions of a note: as another note, whose blocks have other ids. */
function asConflict(text: string): { readonly id: string; readonly text: string } {
  const ids = new Map([...text.matchAll(ID)].map(([, id = '']) => [id, freshId(clock, Math.random)]));
  let copy = text;
  for (const [id, other] of ids) copy = copy.replaceAll(id, other);
  return { id: [...ids.values()][0] ?? '', text: copy };
}

/** Both devices' files in one folder: of what both changed that of `newer` counts, and the other becomes a conflict copy. Returns their ids. */
function sync(before: string, newer: string, older: string, into: string): readonly string[] {
  cpSync(newer, into, { recursive: true });
  const [was, now, other] = [before, newer, older].map((folder) => join(folder, 'data')) as [string, string, string];
  const conflicts: string[] = [];
  const read = (folder: string, file: string): string => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'latin1') : '');
  for (const file of filesIn(other)) {
    const theirs = read(other, file);
    if (theirs === read(was, file) || theirs === read(now, file)) continue;
    const isBoth = read(now, file) !== read(was, file);
    if (isBoth && !file.endsWith('.sy')) continue;
    const copy = isBoth ? asConflict(theirs) : undefined;
    const path = join(into, 'data', copy ? join(dirname(file), `${copy.id}.sy`) : file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, copy?.text ?? theirs, 'latin1');
    if (copy) conflicts.push(copy.id);
  }
  return conflicts;
}

const step = fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(20), to: fc.nat(20) });
const steps = fc.array(step, { minLength: 1, maxLength: 5 });
type Steps = readonly { readonly kind: (typeof KINDS)[number]; readonly at: number; readonly to: number }[];

describe.skipIf(realKernelUrl !== undefined)('two devices whose files are synced', () => {
  it('say of each block who wrote it, also in what both had changed, and no record of a write is lost', async () => {
    const seen = { blocks: 0, marked: 0, conflicts: 0 };
    const folders = mkdtempSync(join(tmpdir(), 'marginalia-devices-'));
    const running: TestBench[] = [];
    const start = async (folder: string, notebook: string): Promise<TestBench> => {
      const bench = await startBench({ saved: { folder, notebook } });
      running.push(bench);
      bench.policy.setRight(bench.notebook, 'write');
      return bench;
    };
    /** What is on its disk when nothing is pending, without the device itself. */
    const saved = async (bench: TestBench, docs: readonly string[], name: string): Promise<string> => {
      await bench.host.hands.settled();
      await bench.delivered(docs[0] ?? '');
      cpSync(bench.workspace, join(folders, name), { recursive: true });
      return join(folders, name);
    };
    const end = async (): Promise<void> => {
      for (const each of running.splice(0)) await each.close();
    };
    let round = 0;
    const apart = async (first: Steps, second: Steps, isFirstNewer: boolean): Promise<void> => {
      round += 1;
      const one = await startBench();
      running.push(one);
      one.policy.setRight(one.notebook, 'write');
      const docs = [await one.document('/A', `${words(HER)}\n\n${words(HER)}`), await one.document('/B', words(HER))];
      await new Program(one, docs).take('add', 0, 0);
      const before = await saved(one, docs, `${round}-before`);
      const other = await start(before, one.notebook);
      for (const [bench, all] of [[one, first] as const, [other, second] as const]) {
        const program = new Program(bench, docs);
        for (const { kind, at, to } of all) await program.take(kind, at, to);
      }
      const [left, right] = [await saved(one, docs, `${round}-one`), await saved(other, docs, `${round}-other`)];
      await end();
      const into = join(folders, `${round}-synced`);
      const conflicts = isFirstNewer ? sync(before, left, right, into) : sync(before, right, left, into);
      const synced = await start(into, one.notebook);
      const found = (await new Program(synced, [...docs, ...conflicts]).leaves()).filter(({ text }) => text !== '');
      const said = found.map(({ text, source, ownSource }) => [text, (text.includes(MODEL) ? source : ownSource) !== '']);
      expect(said).toEqual(found.map(({ text }) => [text, text.includes(MODEL)]));
      const marks = found.flatMap(({ source }) => sourcesIn(source));
      for (const each of new Set(marks)) expect(await modelWords(synced.host.journal, each)).toBeDefined();
      const { routes, journal } = synced.host;
      const counts = await new WrittenBlocks({ routes, journal, now: clock.now, contentHash: hashOfContent }).counts(
        { chat: '', notebook: '' },
        signal,
      );
      expect(counts.all > 0).toBe(marks.length > 0);
      seen.blocks += found.length;
      seen.marked += found.filter(({ source }) => source !== '').length;
      seen.conflicts += conflicts.length;
    };
    try {
      const property = fc.asyncProperty(steps, steps, fc.boolean(), async (first, second, isFirstNewer) => {
        try {
          await apart(first, second, isFirstNewer);
        } finally {
          await end();
        }
      });
      await fc.assert(property, { numRuns: runCount(4, 200) });
    } finally {
      rmSync(folders, { recursive: true, force: true });
    }
    if (full) console.info('two devices:', JSON.stringify(seen));
    expect(seen.marked).toBeGreaterThan(0);
    expect(seen.conflicts).toBeGreaterThan(0);
  }, 3_600_000);
});
