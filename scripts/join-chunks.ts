// esbuild makes a file of every set of modules that the same entries share, so each part that is loaded later cuts the panel's script into
// more pieces, all of which the first opening needs. Joined, they are one request, and compress as one.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A script that a build gave, by its file's name. `imports`: what it cannot run without. */
export interface Chunk {
  readonly name: string;
  readonly imports: readonly string[];
}

const IMPORT = /import(?:\{([^}]*)\}from)?"\.\/([\w-]+\.js)";?/g;
const hashOf = (name: string): string => name.replace(/^.*-|\.js$/g, '');

/** `a as b, c` as pairs of the name in the other file and the name here. */
const pairs = (names: string): string[][] => names.split(',').map((each) => each.trim().split(/\s+as\s+/));

/**
 * Makes one file of the entry and all that it imports by a statement; the other scripts in the folder then import from it. What names that
 * file or another such one gets a name of its own for each build, since its text changes with theirs.
 * @returns the names of all scripts there are now
 */
export async function joinChunks(folder: string, chunks: readonly Chunk[], entry: string): Promise<readonly string[]> {
  const first = [...importsOf(chunks, entry)];
  const later = chunks.map(({ name }) => name).filter((name) => !first.includes(name));
  const texts = new Map(later.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const needed = new Set<string>();
  for (const [name, text] of texts) {
    const changed = text.replace(IMPORT, (whole, names: string | undefined, from: string) => {
      const at = first.indexOf(from);
      if (at === -1) return whole;
      if (names === undefined) return '';
      const taken = pairs(names).map(([theirs = '', ours = theirs]) => {
        needed.add(`export{${theirs} as ${theirs}_${at}}from"./${from}";`);
        return `${theirs}_${at} as ${ours}`;
      });
      return `import{${taken}}from"./${entry}";`;
    });
    texts.set(name, changed);
  }
  const joined = await bundleFirst(folder, first, `export * from "./${entry}";${[...needed].join('')}`);
  const asks = (name: string): boolean => [entry, ...later].some((other) => texts.get(name)?.includes(`"./${other}"`));
  const own = (name: string): string => (asks(name) ? name.replace('.js', `${hashOf(entry)}.js`) : name);
  const names = new Map(later.map((name) => [name, own(name)]));
  const renamed = (text: string): string => text.replace(/(?<="\.\/)[\w-]+\.js(?=")/g, (name) => names.get(name) ?? name);
  for (const { name } of chunks) rmSync(join(folder, name));
  for (const [name, text] of [...texts, [entry, joined] as const]) {
    const gone = first.find((each) => each !== entry && text.includes(each));
    if (gone !== undefined) throw new Error(`${name} still names ${gone}, which is in ${entry} now`);
    writeFileSync(join(folder, names.get(name) ?? name), renamed(text));
  }
  return [entry, ...names.values()];
}

function importsOf(chunks: readonly Chunk[], name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const each of chunks.find((chunk) => chunk.name === name)?.imports ?? []) importsOf(chunks, each, found);
  return found;
}

async function bundleFirst(folder: string, first: readonly string[], contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, minify: true, format: 'esm', write: false, legalComments: 'none', logLevel: 'warning' },
    plugins: [
      {
        name: 'later-stays-outside',
        setup(builder) {
          builder.onResolve({ filter: /^\.\// }, ({ path }) => (first.includes(path.slice(2)) ? undefined : { path, external: true }));
        },
      },
    ],
  });
  const [file] = outputFiles ?? [];
  if (!file) throw new Error('the panel’s scripts could not be joined');
  return file.text;
}
