import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { joinChunks } from './join-chunks.ts';

const SOURCES = {
  'panel.ts': `import { count, shared as own } from './shared.ts';
    import './effect.ts';
    export const start = async () => {
      own('panel');
      const [page, other] = await Promise.all([import('./page.ts'), import('./other.ts')]);
      return [page.page(), other.other(), count, (await import('./alone.ts')).alone];
    };`,
  'shared.ts': 'export let count = 0; export function shared(who: string) { count += 1; return who + count + globalThis.effects; }',
  'effect.ts': 'globalThis.effects = (globalThis.effects ?? "") + "!";',
  'page.ts': `import './effect.ts'; import { shared } from './shared.ts'; import { both } from './both.ts'; export const page = () => shared('page') + both;`,
  'other.ts': `import { both } from './both.ts'; import { shared } from './shared.ts'; export const other = () => shared('other') + both;`,
  'both.ts': `import { count } from './shared.ts'; export const both = '/' + count;`,
  'alone.ts': `export const alone = 'alone ./ here';`,
};

describe('joining the scripts of the first opening', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    Reflect.deleteProperty(globalThis, 'effects');
  });

  async function built(changes: Partial<typeof SOURCES> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'marginalia-join-'));
    folders.push(folder);
    mkdirSync(join(folder, 'src'));
    for (const [name, text] of Object.entries({ ...SOURCES, ...changes })) writeFileSync(join(folder, 'src', name), text);
    const outdir = join(folder, 'out');
    const { metafile } = await build({
      ...{
        absWorkingDir: folder,
        entryPoints: { panel: join(folder, 'src/panel.ts') },
        outdir,
        bundle: true,
        minify: true,
        metafile: true,
      },
      ...{ format: 'esm', splitting: true, entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]' },
    });
    const chunks = Object.entries(metafile.outputs).map(([path, { imports }]) => ({
      name: basename(path),
      imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path: from }) => basename(from)),
    }));
    const entry = chunks.find(({ name }) => name.startsWith('panel-'))?.name ?? '';
    return { outdir, chunks, entry };
  }

  it('leaves one script for the first opening, which shares its state with what comes later', async () => {
    const { outdir, chunks, entry } = await built();
    expect(chunks.find(({ name }) => name === entry)?.imports).not.toEqual([]);
    const scripts = await joinChunks(outdir, chunks, entry);
    expect(readdirSync(outdir).sort()).toEqual([...scripts].sort());
    expect(readFileSync(join(outdir, entry), 'utf8')).not.toMatch(/^import[{"]|from"\.\//m);
    const { start } = await import(pathToFileURL(join(outdir, entry)).href);
    expect(await start()).toEqual(['page2!/1', 'other3!/1', 3, 'alone ./ here']);
  });

  it('gives what names the joined script another name when that changed, and what names nothing the same', async () => {
    const names = async (changes?: Partial<typeof SOURCES>) => {
      const { outdir, chunks, entry } = await built(changes);
      return joinChunks(outdir, chunks, entry);
    };
    const before = await names();
    const after = await names({ 'effect.ts': 'globalThis.effects = "changed";' });
    const same = before.filter((name) => after.includes(name));
    expect(same).toHaveLength(1);
    expect(same[0]).toMatch(/^alone-/);
  });

  it('fails where an import could not be rewritten', async () => {
    const { outdir, chunks, entry } = await built();
    const page = chunks.find(({ name }) => name.startsWith('page-'));
    const [shared] = (page?.imports ?? []).filter((name) => chunks.find((each) => each.name === entry)?.imports.includes(name));
    writeFileSync(join(outdir, page?.name ?? ''), `export*from"./${shared}";`);
    await expect(joinChunks(outdir, chunks, entry)).rejects.toThrow(`still names ${shared}`);
  });
});
