import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ask, FoundNotes, openTools, type PlacedSet, place } from '../../bench/finding/finding.ts';
import { plainBm25 } from '../../bench/finding/plain-bm25.ts';
import { type BenchKernel, openKernel, openMeasured } from '../../bench/notebooks/bench-kernel.ts';
import type { ToolExecutor } from '../../src/tools/index.ts';
import type { EvalPart, EvalRow } from '../part.ts';
import { type RecallSet, recallSets, someOf } from './sets.ts';

const HALF = 0.5;
const NOTES = 10;
type Question = RecallSet['questions'][number];

/** What was read until all that answers was in sight. */
interface Reading {
  readonly isWhole: boolean;
  readonly tokens: number;
  readonly calls: number;
  /** Of the list of what was found. */
  readonly list: number;
  /** With the notes read whole in the same order instead. */
  readonly wholeTokens: number;
}

type Placed = PlacedSet & RecallSet;

const last = (title: string): string => title.slice(title.lastIndexOf('/') + 1);
const idsOf = ({ documents }: PlacedSet, name: string): string[] =>
  [...documents].filter(([title]) => title === name || last(title) === name).map(([, id]) => id);

async function read(tools: ToolExecutor, name: string, args: object): Promise<number> {
  const options = { callId: 'c1', sessionId: 'eval', nodeId: 'n1', signal: new AbortController().signal };
  const { status, finalText = '' } = await tools.execute(name, { ...args }, options);
  if (status !== 'success') throw new Error(`eval_failed: ${finalText}`);
  return countTokens(finalText);
}

const plainOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** An oracle sees which of the passages is the right one, and reads its block if it is cut; of other right notes it reads each. */
async function readOn(
  tools: ToolExecutor,
  set: Placed,
  question: Question,
  right: readonly (readonly string[])[],
): Promise<Reading & { readonly found: readonly string[] }> {
  const { blocks, notes, text } = await ask(tools, question.question);
  const paragraph = set.notes.find(({ title }) => title === question.note)?.paragraphs[question.paragraph ?? -1];
  const block = question.paragraph === undefined ? undefined : set.blocks.get(question.note)?.[question.paragraph];
  const found = right.map((ids) => ids.find((id) => notes.slice(0, NOTES).includes(id)));
  const list = countTokens(text);
  let [tokens, calls] = [list, 1];
  for (const id of found) {
    const isShown = block !== undefined && blocks.includes(block) && right.length === 1;
    const isWholeShown = isShown && paragraph !== undefined && plainOf(text).includes(plainOf(paragraph));
    if (id === undefined || isWholeShown) continue;
    calls += 1;
    tokens += isShown ? await read(tools, 'read_block', { id: block }) : await read(tools, 'read_doc', { id, blocks: 500, tokens: 20_000 });
  }
  const least = Math.max(...found.map((id) => (id === undefined ? -1 : notes.indexOf(id))));
  const texts = new Map(set.notes.map(({ title, paragraphs }) => [set.documents.get(title), [title, ...paragraphs].join('\n\n')]));
  const wholeTokens = notes.slice(0, least + 1).reduce((sum, id) => sum + countTokens(texts.get(id) ?? ''), 0);
  return { found: set.byBlocks ? blocks : notes, isWhole: !found.includes(undefined), tokens, calls, list, wholeTokens };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const shareOf = (those: readonly boolean[]): number => those.filter(Boolean).length / Math.max(1, those.length);

interface Found {
  readonly ours: FoundNotes;
  readonly plain: FoundNotes;
  readonly failed: readonly string[];
}

function foundRow({ name, version, wanted, questions, byBlocks }: RecallSet, { ours, plain, failed }: Found): EvalRow {
  const cases = ours.first.length;
  const [unit, among, those] = byBlocks ? ['block', 'five', ours.five] : ['note', 'ten', ours.ten];
  const holds = wanted === undefined || (shareOf(ours.first) >= wanted[0] && shareOf(those) >= wanted[1]);
  const part = cases < questions.length ? [`${cases} of ${questions.length} questions`] : [];
  const reasons = [...part, ...(holds ? [] : ['by words alone, as issue 51 left it'])];
  return {
    ...{ set: name, version, measured: `right ${unit} first, among five, among ten`, cases, ours: ours.print(), holds, failed },
    ...(wanted === undefined ? {} : { wanted: `first ${percent(wanted[0])}, ${among} ${percent(wanted[1])}` }),
    peer: {
      name: byBlocks ? 'plain BM25 of blocks' : 'plain BM25 of whole notes',
      figure: plain.print(),
      how: 'run here over the same notes',
    },
    ...(reasons.length > 0 ? { reason: reasons.join('; ') } : {}),
  };
}

function readRow({ name, version }: RecallSet, readings: readonly Reading[]): EvalRow {
  const whole = readings.filter(({ isWhole }) => isWhole);
  const mean = (of: (reading: Reading) => number): number => whole.reduce((all, each) => all + of(each), 0) / Math.max(1, whole.length);
  const [ours, theirs] = [mean(({ tokens }) => tokens), mean(({ wholeTokens }) => wholeTokens)];
  const ratio = ours / theirs;
  const list = mean((each) => each.list);
  const calls = mean((each) => each.calls).toFixed(1);
  const reasons = [
    `${whole.length} of ${readings.length} had all evidence among ten notes`,
    ...(ratio > HALF && list > HALF * theirs
      ? [`the list of ten with its passages alone has ${Math.round(list)} tokens, and these notes are short`]
      : []),
  ];
  return {
    ...{ set: name, version, measured: 'tokens read until all evidence is in sight', cases: whole.length, failed: [] },
    ours: `${Math.round(ours)} a question in ${calls} calls, ${ratio.toFixed(2)} of it`,
    ...{ wanted: '≤ 0.5 of reading whole notes', holds: ratio <= HALF, reason: reasons.join('; ') },
    peer: { name: 'whole notes', figure: String(Math.round(theirs)), how: 'each note in the same order, until the last that is needed' },
  };
}

async function measureSet(kernel: BenchKernel, set: RecallSet): Promise<readonly EvalRow[]> {
  const measured = openMeasured(kernel);
  try {
    const placed: Placed = { ...set, ...(await place(kernel, set)) };
    const questions = someOf(set.questions);
    const units = set.notes.flatMap(({ title, paragraphs }): { readonly id: string | undefined; readonly text: string }[] =>
      set.byBlocks
        ? paragraphs.map((text, at) => ({ text, id: placed.blocks.get(title)?.[at] }))
        : [{ text: [title, ...paragraphs].join('\n'), id: placed.documents.get(title) }],
    );
    const rank = plainBm25(units.map(({ text }) => text));
    const [ours, plain] = [new FoundNotes(), new FoundNotes()];
    const readings: Reading[] = [];
    const failed: string[] = [];
    for (const question of questions) {
      const { evidence = [question.note] } = question;
      const right = evidence.map((name) => idsOf(placed, name));
      const reading = await readOn(openTools(measured), placed, question, right);
      const block = placed.blocks.get(question.note)?.[question.paragraph ?? -1];
      const wanted = set.byBlocks ? [block === undefined ? [] : [block]] : right;
      ours.add(reading.found, wanted);
      plain.add(
        rank(question.question)
          .slice(0, NOTES)
          .map((index) => units[index]?.id ?? ''),
        wanted,
      );
      readings.push(reading);
      if (ours.ten.at(-1) === false) failed.push(`${question.question.slice(0, 160)} → ${evidence[0]}`);
    }
    return [foundRow(set, { ours, plain, failed }), readRow(set, readings)];
  } finally {
    measured.close();
  }
}

export const part: EvalPart = {
  name: 'recall',
  title: 'Questions of public sets, asked of the notes by the tool that searches',
  async run(options) {
    const rows: EvalRow[] = [];
    for (const set of recallSets(options)) {
      // A kernel for each: none finds notes of another.
      const kernel = await openKernel();
      try {
        rows.push(...(await measureSet(kernel, set)));
      } finally {
        await kernel.close();
      }
    }
    return rows;
  },
};
