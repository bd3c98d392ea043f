// Does search find the note that answers, asked as a model asks first? Beside a plain BM25 over the same blocks, and the bare statement.
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import type { BenchReport, Figure } from '../figures.ts';
import { type BenchKernel, type MeasuredHost, openKernel, openMeasured } from '../notebooks/bench-kernel.ts';
import { openWorkspace } from '../notebooks/workspace.ts';
import type { BenchSize } from '../size.ts';
import { plainBm25 } from './plain-bm25.ts';
import { type QuestionSet, questionSets } from './questions.ts';

const MOST_REQUESTS = 5;
const MOST_TIMES = 1.5;
const TARGET_MS = 400;
const FIVE = 5;
const NOTES = 10;
/** Of each set so many questions are timed. */
const TIMED = 12;

/** A set whose notes stand in the kernel. */
export interface PlacedSet extends QuestionSet {
  /** Ids of the blocks of each paragraph, by note and paragraph. */
  readonly blocks: ReadonlyMap<string, readonly string[]>;
  readonly documents: ReadonlyMap<string, string>;
}

interface Answer {
  readonly text: string;
  readonly blocks: readonly string[];
  readonly notes: readonly string[];
}

const last = (title: string): string => title.slice(title.lastIndexOf('/') + 1);

export async function place(kernel: BenchKernel, set: QuestionSet): Promise<PlacedSet> {
  const { notebooks } = await kernel.api<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
  const name = `Marginalia ${set.name}`;
  const standing = notebooks.find((each) => each.name === name);
  const notebook = standing?.id ?? (await kernel.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name })).notebook.id;
  const blocks = new Map<string, readonly string[]>();
  const documents = new Map<string, string>();
  for (const { title, paragraphs } of set.notes) {
    const path = `/${title}`;
    const [known] = standing ? await kernel.api<string[]>('/api/filetree/getIDsByHPath', { notebook, path }) : [];
    const made = { notebook, path, markdown: paragraphs.join('\n\n') };
    const id = known ?? (await kernel.api<string>('/api/filetree/createDocWithMd', made));
    documents.set(title, id);
    const children = await kernel.api<{ id: string }[]>('/api/block/getChildBlocks', { id });
    blocks.set(
      title,
      children.map((child) => child.id),
    );
  }
  await kernel.api('/api/sqlite/flushTransaction', {});
  return { ...set, blocks, documents };
}

export function openTools({ host }: MeasuredHost): ToolExecutor {
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const groups = createNotesGroups(host.notes, clock);
  const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: true }));
  const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
  return toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults, rights: host.rights });
}

/** As the model reads it: ids of notes in their lines, ids of blocks below. */
export async function ask(tools: ToolExecutor, question: string): Promise<Answer> {
  const options = { callId: 'c1', sessionId: 'bench', nodeId: 'n1', signal: new AbortController().signal };
  const { status, finalText = '' } = await tools.execute('search_notes', { query: question }, options);
  if (status !== 'success') throw new Error(`bench_failed: ${finalText}`);
  const ids = (pattern: RegExp): string[] => [...finalText.matchAll(pattern)].map(([, id = '']) => id);
  return { text: finalText, blocks: ids(/^ {3}\[([\w-]+)\]/gm), notes: ids(/^\d+\. .*\[([\w-]+)\] in /gm) };
}

const share = (found: readonly boolean[]): number => found.filter(Boolean).length / Math.max(1, found.length);
/** Figures have upper limits: what is missing, of all. */
const missing = (name: string, found: number, limit?: number): Figure => {
  const figure = { name: `${name}: not found`, value: 1 - found, unit: '' };
  return limit === undefined ? figure : { ...figure, limit: Math.round((1 - limit) * 1000) / 1000 };
};

/** Of the search itself, and of a call: that asks for the rights before it and for what was read after it as well. */
async function countRequests(
  { host, traffic }: MeasuredHost,
  tools: ToolExecutor,
  question: string,
): Promise<{ search: number; call: number }> {
  traffic.requests = 0;
  await host.notes.search({ query: question, mode: 'relevance', page: 1, pageSize: NOTES }, new AbortController().signal);
  const search = traffic.requests;
  traffic.requests = 0;
  await ask(tools, question);
  return { search, call: traffic.requests };
}

const percent = (found: readonly boolean[]): string => `${(100 * share(found)).toFixed(1)} %`;

/** Where the right notes of each question are among those found. */
export class FoundNotes {
  readonly first: boolean[] = [];
  readonly five: boolean[] = [];
  readonly ten: boolean[] = [];
  /** For questions with several notes: all of them among the first ten, and the share of them that is. */
  readonly all: boolean[] = [];
  readonly shares: number[] = [];

  add(found: readonly string[], right: readonly (readonly string[])[]): void {
    const ids = new Set(right.flat());
    const has = (most: number): boolean => found.slice(0, most).some((id) => ids.has(id));
    this.first.push(has(1));
    this.five.push(has(FIVE));
    this.ten.push(has(NOTES));
    if (right.length < 2) return;
    const those = right.filter((one) => one.some((id) => found.slice(0, NOTES).includes(id))).length;
    this.all.push(those === right.length);
    this.shares.push(those / right.length);
  }

  print(): string {
    const several = this.shares.reduce((sum, one) => sum + one, 0) / Math.max(1, this.shares.length);
    const all = this.all.filter(Boolean).length;
    return (
      `${percent(this.first)}, among five ${percent(this.five)}, among ten ${percent(this.ten)}` +
      (this.all.length === 0 ? '' : `; of several notes all among ten ${all} of ${this.all.length}, a share of ${several.toFixed(3)}`)
    );
  }
}

/** Whether the right block is first and among the first five. */
class FoundBlocks {
  readonly first: boolean[] = [];
  readonly five: boolean[] = [];

  add(found: readonly (string | undefined)[], right: string): void {
    this.first.push(found[0] === right);
    this.five.push(found.slice(0, FIVE).includes(right));
  }
}

interface Found {
  readonly blocks: FoundBlocks;
  readonly notes: FoundNotes;
}

const texts = (set: PlacedSet) =>
  set.notes.flatMap(({ title, paragraphs }) => paragraphs.map((text, index) => ({ text, id: set.blocks.get(title)?.[index] ?? '' })));

/** `sets`: all that stand in the kernel, in which the tool and the plain BM25 both look. */
async function askAll(tools: ToolExecutor, set: PlacedSet, sets: readonly PlacedSet[]): Promise<{ ours: Found; plain: Found }> {
  const [ours, plain] = [0, 1].map(() => ({ blocks: new FoundBlocks(), notes: new FoundNotes() })) as [Found, Found];
  const blocks = sets.flatMap(texts);
  const rankBlocks = plainBm25(blocks.map(({ text }) => text));
  const notes = sets.flatMap((each) => each.notes.map((note) => ({ ...note, id: each.documents.get(note.title) ?? '' })));
  const rankNotes = plainBm25(notes.map(({ title, paragraphs }) => [title, ...paragraphs].join('\n')));
  for (const { question, note, paragraph, evidence = [note] } of set.questions) {
    const answer = await ask(tools, question);
    const right = evidence.map((one) => [...set.documents].filter(([title]) => title === one || last(title) === one).map(([, id]) => id));
    ours.notes.add(answer.notes, right);
    plain.notes.add(
      rankNotes(question).map((index) => notes[index]?.id ?? ''),
      right,
    );
    if (paragraph === undefined) continue;
    const block = set.blocks.get(note)?.[paragraph] ?? '';
    ours.blocks.add(answer.blocks, block);
    plain.blocks.add(
      rankBlocks(question).map((index) => blocks[index]?.id),
      block,
    );
  }
  return { ours, plain };
}

async function measureSet(measured: MeasuredHost, set: PlacedSet, sets: readonly PlacedSet[]): Promise<BenchReport> {
  const tools = openTools(measured);
  const requests = await countRequests(measured, tools, set.questions[0]?.question ?? '');
  const { ours, plain } = await askAll(tools, set, sets);
  const hasBlocks = ours.blocks.first.length > 0;
  const printBlocks = ({ blocks }: Found): string =>
    hasBlocks ? `right block first ${percent(blocks.first)}, among five ${percent(blocks.five)}; ` : '';
  const print = (found: Found): string => `${printBlocks(found)}right note first ${found.notes.print()}`;
  const notes = [
    `${set.name}, ${set.questions.length} questions: ${print(ours)}`,
    `${set.name}, plain BM25 (of blocks, of whole notes): ${print(plain)}`,
  ];
  const behind = (what: string, those: (found: FoundBlocks) => readonly boolean[]): Figure => {
    const value = share(those(plain.blocks)) - share(those(ours.blocks));
    return { name: `${set.name}, ${what}: behind plain BM25`, value, unit: '', limit: 0 };
  };
  const figures = [
    ...(hasBlocks
      ? [
          missing(`${set.name}, first block`, share(ours.blocks.first), set.limits?.[0]),
          missing(`${set.name}, first five blocks`, share(ours.blocks.five), set.limits?.[1]),
          behind('first block', ({ first }) => first),
          behind('first five blocks', ({ five }) => five),
        ]
      : []),
    missing(`${set.name}, first note`, share(ours.notes.first)),
    missing(`${set.name}, first ten notes`, share(ours.notes.ten)),
    { name: `${set.name}: requests of a search`, value: requests.search, unit: '', limit: MOST_REQUESTS },
    { name: `${set.name}: requests of a call, with the checks around it`, value: requests.call, unit: '' },
  ];
  return { notes, figures };
}

/** Any of the words of the question, by the kernel's relevance. */
function bareStatement(question: string): string {
  const words = [...new Set(question.toLowerCase().match(/\p{Script=Han}{1,2}|[\p{L}\p{N}]+/gu) ?? [])];
  const match = words.map((word) => `"${word}"`).join(' OR ');
  return (
    'SELECT b.id, b.content FROM blocks_fts f JOIN blocks b ON b.rowid = f.rowid ' +
    `WHERE f.blocks_fts MATCH '${match}' ORDER BY f.rank LIMIT 20`
  );
}

/** The better of two runs each, in turns: others use the machine too. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function measureTime(measured: MeasuredHost, sets: readonly PlacedSet[], blocks: number): Promise<BenchReport> {
  const tools = openTools(measured);
  let [ours, bare, count] = [0, 0, 0];
  for (const { questions } of sets) {
    const step = Math.max(1, Math.floor(questions.length / TIMED));
    for (let index = 0; index < questions.length; index += step) {
      const question = questions[index]?.question ?? '';
      const stmt = bareStatement(question);
      const both = [];
      for (let run = 0; run < 2; run += 1) {
        both.push({
          bare: await timed(() => measured.call('/api/query/sql', { stmt, mode: 'readonly' })),
          ours: await timed(() => ask(tools, question)),
        });
      }
      ours += Math.min(...both.map((each) => each.ours));
      bare += Math.min(...both.map((each) => each.bare));
      count += 1;
    }
  }
  const notes = [
    `with ${blocks} blocks: ${(ours / count).toFixed(0)} ms a question, the bare statement ${(bare / count).toFixed(0)} ms (target ${TARGET_MS} ms at 100000)`,
  ];
  return { notes, figures: [{ name: `time of a question, with ${blocks} blocks`, value: ours / bare, unit: '×', limit: MOST_TIMES }] };
}

/** `npm run bench -- finding`: on a development host of its own, or on the SiYuan that SIYUAN_URL and SIYUAN_TOKEN name. */
export async function benchFinding({ finding }: BenchSize): Promise<BenchReport> {
  const kernel = await openKernel();
  const measured = openMeasured(kernel);
  try {
    const sets: PlacedSet[] = [];
    const reports: BenchReport[] = [];
    for (const set of questionSets(finding.sets)) {
      const placed = await place(kernel, set);
      sets.push(placed);
      reports.push(await measureSet(measured, placed, sets));
      for (const note of reports.at(-1)?.notes ?? []) console.error(`  ${note}`);
    }
    for (const blocks of finding.blocks) {
      console.error(`making ${blocks} blocks …`);
      await openWorkspace(kernel, blocks, []);
      reports.push(await measureTime(measured, sets, blocks));
    }
    return { notes: [kernel.kind, ...reports.flatMap(({ notes }) => notes)], figures: reports.flatMap(({ figures }) => figures) };
  } finally {
    measured.close();
    await kernel.close();
  }
}
