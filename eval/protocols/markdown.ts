// Examples of Markdown's specification, written into a note by the tool, read back, written again, and undone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyNode } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import type { KernelNotes } from '../../tests/host/open-notes.ts';
import { steady } from '../../tests/host/support.ts';
import type { EvalRow } from '../part.ts';

export interface Example {
  readonly name: string;
  readonly markdown: string;
  readonly html: string;
}

/** What became of an example; each text says what is wrong, none if nothing is. */
interface Written {
  readonly refused?: string;
  readonly lost?: string;
  readonly unlike?: string;
  readonly unsteady?: string;
  readonly undone?: string;
  /** The same of SiYuan's own import, for comparison. */
  readonly importLost?: string;
  readonly importUnsteady?: string;
}

const EXAMPLE = /^`{32} example[^\n]*\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gmu;

export function examplesIn(folder: string, file: string): readonly Example[] {
  const text = readFileSync(join(folder, 'test', `${file}.txt`), 'utf8');
  return [...text.matchAll(EXAMPLE)].map(([, markdown = '', html = ''], index) => ({
    name: `${file} ${index + 1}`,
    markdown: markdown.replaceAll('→', '\t'),
    html: html.replaceAll('→', '\t'),
  }));
}

const textOf = (node: AnyNode): string => {
  if ('data' in node && node.type === 'text') return node.data;
  return 'children' in node ? node.children.map(textOf).join(' ') : '';
};
const words = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const sameLetters = (text: string): string => words(text).join('').toLowerCase();

/** Words that the specification shows and the note has not, whatever splits them. */
function lostWords(html: string, reading: string): string | undefined {
  const all = sameLetters(reading);
  const lost = words(textOf(parseDocument(html))).filter((word) => !all.includes(word.toLowerCase()));
  return lost.length > 0 ? lost.join(' ') : undefined;
}

const inShort = (blocks: readonly string[]): string => JSON.stringify(blocks).slice(0, 160);

let count = 0;

/** Writes, looks, and takes it back. */
async function writtenOnce(notes: KernelNotes, id: string, markdown: string) {
  const { bench, executor, history } = notes;
  const nodeId = `node ${count++}`;
  const options = { callId: 'c', sessionId: 'eval', nodeId, signal: new AbortController().signal };
  const before = steady(await bench.dom(id));
  const { status, finalText = '' } = await executor.execute('insert_blocks', { anchor: id, position: 'append', markdown }, options);
  if (status !== 'success') return { refused: finalText.slice(0, 160) };
  const blocks = (await bench.markdown(id)).slice(1);
  const read = await executor.execute('read_doc', { id, limit: 0 }, { ...options, callId: 'r' });
  await history.undo('eval', nodeId, options.signal);
  const isUndone = steady(await bench.dom(id)) === before;
  return { blocks, reading: read.finalText ?? '', isUndone };
}

/** As SiYuan itself imports it. */
async function imported({ bench }: KernelNotes, name: string, markdown: string): Promise<readonly string[]> {
  const id = await bench.document(`/${name}`, `start\n\n${markdown}`);
  const blocks = (await bench.markdown(id)).slice(1);
  await bench.api('/api/filetree/removeDocByID', { id });
  return blocks;
}

const same = (one: readonly string[] | undefined, other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);

async function write(notes: KernelNotes, id: string, { name, markdown, html }: Example): Promise<Written> {
  const first = await writtenOnce(notes, id, markdown);
  if (first.refused !== undefined) return { refused: first.refused };
  const own = await imported(notes, name, markdown);
  const ownAgain = await imported(notes, name, own.join('\n\n'));
  const again = first.blocks.length === 0 ? first : await writtenOnce(notes, id, first.blocks.join('\n\n'));
  const found: Readonly<Record<string, string | false | undefined>> = {
    lost: lostWords(html, first.reading),
    unlike: !same(own, first.blocks) && `${inShort(own)} is ${inShort(first.blocks)}`,
    unsteady: !same(again.blocks, first.blocks) && `${inShort(first.blocks)} becomes ${again.refused ?? inShort(again.blocks)}`,
    undone: !(first.isUndone && (again.refused !== undefined || again.isUndone)) && 'not as before',
    importLost: lostWords(html, own.join('\n')),
    importUnsteady: !same(ownAgain, own) && 'it is not',
  };
  return Object.fromEntries(Object.entries(found).filter(([, wrong]) => wrong !== undefined && wrong !== false));
}

const MEASURED = [
  ['refused', 'written', 'taken'],
  ['lost', 'words of the HTML that are read back', 'complete', 'importLost'],
  ['unlike', 'written as SiYuan itself imports it', 'equal'],
  ['unsteady', 'read back and written again', 'equal', 'importUnsteady'],
  ['undone', 'Undo', 'byte-equal'],
] as const;

/** `reasons`: why some of a set are not as measured. */
export async function markdownRows(
  notes: KernelNotes,
  set: Pick<EvalRow, 'set' | 'version'>,
  examples: readonly Example[],
  reasons: Partial<Record<keyof Written, string>>,
): Promise<readonly EvalRow[]> {
  const all: (readonly [Example, Written])[] = [];
  for (const example of examples) all.push([example, await write(notes, notes.id('/Page'), example)]);
  return MEASURED.map(([key, measured, word, ofImport]): EvalRow => {
    const those = key === 'refused' ? all : all.filter(([, { refused }]) => refused === undefined);
    const failed = those.flatMap(([{ name, markdown }, found]) =>
      found[key] === undefined ? [] : [`${name}: ${JSON.stringify(markdown).slice(0, 160)}: ${found[key]}`],
    );
    const figure = ofImport && `${those.filter(([, found]) => found[ofImport] === undefined).length} ${word}`;
    const peer = figure ? { peer: { name: 'SiYuan’s own import', figure, how: 'the same by createDocWithMd' } } : {};
    const reason = failed.length > 0 ? reasons[key] : undefined;
    return {
      ...{ ...set, measured, cases: those.length, ours: `${those.length - failed.length} ${word}, ${failed.length} not` },
      ...{ wanted: 'named exceptions only', holds: failed.length === 0, failed, ...peer, ...(reason === undefined ? {} : { reason }) },
    };
  });
}
