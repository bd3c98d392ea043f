// The same edits as others make them: formats of edits in Markdown, and blocks that are deleted and inserted.
import { applyPatch, createTwoFilesPatch, diffArrays, diffLines } from 'diff';
import type { TestBench } from '../../tests/host/support.ts';
import { compare, countWords, type Pages, type Replayed } from './replay.ts';

/** What a model writes for an edit, and what its application makes of the text; undefined: it does not apply. */
export interface Written {
  readonly words: number;
  readonly text: string | undefined;
}

interface Hunk {
  readonly search: string;
  readonly replace: string;
}

const occursOnce = (text: string, part: string): boolean => part !== '' && text.split(part).length === 2;

/** Search-and-replace blocks of whole lines, with as many lines around as make each of them the only one. */
function searchHunks(before: string, after: string): Hunk[] {
  const parts = diffLines(before, after).map(({ value, added = false, removed = false }) => ({ value, added, removed }));
  const hunks: Hunk[] = [];
  for (const [at, part] of parts.entries()) {
    const following = parts[at + 1];
    if ((!part.added && !part.removed) || (part.added && parts[at - 1]?.removed)) continue;
    const removed = part.removed ? part.value : '';
    const added = part.added ? part.value : following?.added ? following.value : '';
    const above = (parts[at - 1]?.value ?? '').split('\n').slice(0, -1);
    const below = (parts[at + (part.removed && following?.added ? 2 : 1)]?.value ?? '').split('\n').slice(0, -1);
    for (let lines = 0; ; lines += 1) {
      const [head, tail] = [above.slice(Math.max(0, above.length - lines)), below.slice(0, lines)].map((each) =>
        each.map((line) => `${line}\n`).join(''),
      );
      const search = `${head}${removed}${tail}`;
      if (!occursOnce(before, search) && lines < above.length + below.length) continue;
      hunks.push({ search, replace: `${head}${added}${tail}` });
      break;
    }
  }
  return hunks;
}

/** By aider's rule: the first place that is exactly the search text. */
function searchAndReplace(before: string, after: string): Written {
  const hunks = searchHunks(before, after);
  let text: string | undefined = before;
  for (const { search, replace } of hunks) {
    const at: number = text?.indexOf(search) ?? -1;
    text = at === -1 || text === undefined ? undefined : text.slice(0, at) + replace + text.slice(at + search.length);
  }
  return { text, words: hunks.reduce((sum, { search, replace }) => sum + countWords(search) + countWords(replace), 0) };
}

function unifiedDiff(before: string, after: string): Written {
  const patch = createTwoFilesPatch('note', 'note', before, after, '', '', { context: 3 });
  const lines = patch
    .split('\n')
    .slice(4)
    .filter((line) => !line.startsWith('@@'));
  const applied = applyPatch(before, patch);
  return { text: applied === false ? undefined : applied, words: countWords(lines.map((line) => line.slice(1)).join('\n')) };
}

const wholeText = (_before: string, after: string): Written => ({ text: after, words: countWords(after) });

export const FORMATS = {
  'search and replace blocks (aider’s diff)': searchAndReplace,
  'unified diff (aider’s udiff)': unifiedDiff,
  'whole text (aider’s whole)': wholeText,
} as const;

const asText = (blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

/** In Markdown of the note; then what came of it is appended, and all that was there is deleted. */
export async function replayFormats(bench: TestBench, pages: Pages): Promise<ReadonlyMap<string, Replayed>> {
  const { id, old, wanted, humanWords } = pages;
  const blocks = await bench.blocks(id);
  await bench.api('/api/block/appendBlock', { dataType: 'markdown', data: asText(wanted), parentID: id });
  for (const block of blocks) await bench.api('/api/block/deleteBlock', { id: block });
  const compared = await compare(bench, pages);
  return new Map(
    Object.entries(FORMATS).map(([name, write]) => {
      const { text, words } = write(asText(old), asText(wanted));
      const missed = text === asText(wanted) ? {} : { isExact: false, ...(text === undefined ? { refused: 'it does not apply' } : {}) };
      return [name, { ...compared, words, humanWords, ...missed }];
    }),
  );
}

/** Block by block: those at the top of the note that changed are deleted, new ones are inserted in their place. */
export async function replayBlocks(bench: TestBench, pages: Pages): Promise<Replayed> {
  const { id, old, wanted, humanWords } = pages;
  const ids = await bench.blocks(id);
  let words = 0;
  const gone: string[] = [];
  let previous: string | undefined;
  let at = 0;
  for (const { value, added, removed } of diffArrays([...old], [...wanted])) {
    for (const data of value) {
      if (added) {
        const place = previous === undefined ? { nextID: ids[0] ?? '', parentID: id } : { previousID: previous };
        const [made] = await bench.api<{ doOperations: { id: string }[] }[]>('/api/block/insertBlock', {
          dataType: 'markdown',
          data,
          ...place,
        });
        previous = made?.doOperations.at(-1)?.id;
      } else {
        const block = ids[at] ?? '';
        at += 1;
        if (removed) gone.push(block);
        else previous = block;
      }
      if (added || removed) words += countWords(data);
    }
  }
  // Last: a note that has nothing for a moment is given an empty block.
  for (const block of gone) await bench.api('/api/block/deleteBlock', { id: block });
  return { ...(await compare(bench, pages)), words, humanWords };
}
