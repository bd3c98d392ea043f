import type { BenchKernel } from './bench-kernel.ts';

/** Notes that are changed and put back; apart from those that are read, so that neither measures the other. */
export interface WrittenNotes {
  readonly notebook: string;
  /** A short and a long note by how many blocks they have. */
  readonly sized: ReadonlyMap<number, string>;
  /** A note of a thousand blocks, with a text that changes each of them. */
  readonly rewritten: { readonly id: string; readonly markdown: string };
  readonly tag: string;
  /** Notes with a block that has the tag. */
  readonly tagged: number;
}

const SHORT = 20;
const REWRITTEN = 1000;
const HEADING_EVERY = 24;

/** A list of two, a heading now and then, and paragraphs that say which they are. */
function noteText(blocks: number): string {
  const parts: string[] = [];
  for (let count = 0; count < blocks; count += 1) {
    const index = parts.length;
    if (index % HEADING_EVERY === 0) parts.push(`## Part ${index}`);
    else if (index % 10 === 3) {
      parts.push(`- First of ${index}\n- Second of ${index}`);
      count += 4;
    } else parts.push(`Plain paragraph ${index}, of which there are as many as a long note has, with some words to make it a line.`);
  }
  return parts.join('\n\n');
}

const rewriteText = (word: string): string =>
  Array.from({ length: REWRITTEN }, (_none, index) => `Paragraph ${index} says ${word}.`).join('\n\n');

/** The notebook of an earlier run, or a new one. */
export async function openWritten(kernel: BenchKernel, longest: number, tagged: number): Promise<WrittenNotes> {
  const name = `Marginalia bench writes ${longest}`;
  const { notebooks } = await kernel.api<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
  const kept = notebooks.find((each) => each.name === name)?.id;
  const notebook = kept ?? (await kernel.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name })).notebook.id;
  const note = async (path: string, markdown: () => string): Promise<string> => {
    const [found] = kept === undefined ? [] : await kernel.api<string[]>('/api/filetree/getIDsByHPath', { notebook, path });
    return found ?? (await kernel.api<string>('/api/filetree/createDocWithMd', { notebook, path, markdown: markdown() }));
  };
  const sized = new Map<number, string>();
  for (const size of [SHORT, longest]) sized.set(size, await note(`/Note ${size}`, () => noteText(size)));
  const rewritten = await note('/Rewritten', () => rewriteText('one'));
  const tag = await openTagged(kernel, notebook, longest, tagged);
  return { notebook, sized, rewritten: { id: rewritten, markdown: rewriteText('two') }, tag, tagged };
}

/** A tag of this notebook alone, in as many notes as should have it; written again if an interrupted run left other notes. */
async function openTagged(kernel: BenchKernel, notebook: string, longest: number, tagged: number): Promise<string> {
  const tag = `bench-renamed-${longest}`;
  await kernel.api('/api/sqlite/flushTransaction', {});
  const stmt = `SELECT count(*) AS n FROM spans WHERE box = '${notebook}' AND content = '${tag}' LIMIT 1`;
  const [row] = await kernel.api<{ n: number }[]>('/api/query/sql', { stmt, mode: 'readonly' });
  if (row?.n === tagged) return tag;
  const path = `/${tag}`;
  for (const id of await kernel.api<string[]>('/api/filetree/getIDsByHPath', { notebook, path }))
    await kernel.api('/api/filetree/removeDocByID', { id });
  for (let index = 0; index < tagged; index += 1) {
    const markdown = `A note with #${tag}# in it, number ${index}.`;
    await kernel.api('/api/filetree/createDocWithMd', { notebook, path: `${path}/${index}`, markdown });
  }
  await kernel.api('/api/sqlite/flushTransaction', {});
  return tag;
}
