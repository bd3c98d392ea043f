import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSampleDocuments } from '../devhost/sample/documents.ts';
import type { NotebookSeed } from '../src/tools/testing/in-memory-store.ts';

export interface BenchDocuments {
  /** Says what was read: the corpus, or what stood in for it. */
  readonly source: string;
  readonly isCorpus: boolean;
  readonly notebooks: readonly NotebookSeed[];
}

/** Beside the repository, never inside: its licence is not ours, so it is read and not copied. */
const folder = process.env.MARGINALIA_CORPUS ?? join(dirname(dirname(import.meta.dirname)), 'shared', 'corpus');
/** A file of the corpora, if they are there: beside the repository, or in the folder that MARGINALIA_CORPUS names. */
export const corpusFile = (name: string): string => join(folder, name);
const corpus = corpusFile('user-guide-en.jsonl');

/** Real documents: SiYuan's user guide where it lies beside the repository, else the sample notes. */
export function loadDocuments(): BenchDocuments {
  if (!existsSync(corpus)) {
    const documents = loadSampleDocuments();
    const names = [...new Set(documents.map(({ notebook }) => notebook))];
    const notebooks = names.map((name) => ({
      name,
      documents: Object.fromEntries(documents.filter(({ notebook }) => notebook === name).map(({ path, markdown }) => [path, markdown])),
    }));
    return { source: `the corpus is absent: ${documents.length} short sample documents stand in for it`, isCorpus: false, notebooks };
  }
  const lines = readFileSync(corpus, 'utf8').split('\n').filter(Boolean);
  const documents = Object.fromEntries(lines.map((line) => readLine(line)));
  const characters = Object.values(documents).reduce((sum, markdown) => sum + markdown.length, 0);
  return {
    source: `user guide of SiYuan: ${Object.keys(documents).length} documents, ${characters} characters`,
    isCorpus: true,
    notebooks: [{ name: 'User Guide', documents }],
  };
}

function readLine(line: string): readonly [string, string] {
  const { hpath, markdown } = JSON.parse(line) as { hpath?: unknown; markdown?: unknown };
  if (typeof hpath === 'string' && typeof markdown === 'string') return [hpath, markdown];
  throw new Error(`bad_corpus: a line of ${corpus} has no hpath and markdown → fetch the file again`);
}
