// Tasks of mcpmark over Notion, laid into SiYuan's databases, done by an oracle with our tools, and checked as the set checks them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { CellInputs, NewColumn } from '../../src/tools/contract/databases.ts';
import { databaseCalls } from '../../tests/host/database-bench.ts';
import { closeNotes, type KernelNotes, openNotes } from '../../tests/host/open-notes.ts';
import type { EvalOptions, EvalPart, EvalRow } from '../part.ts';
import { NOT_HAD, TASKS } from './tasks.ts';

export type Cells = Readonly<Record<string, string>>;

/** A database as it is laid; of its rows each is a title with cells. */
interface Laid {
  readonly name: string;
  /** What the set calls its title column. */
  readonly title?: string;
  readonly columns: readonly NewColumn[];
  readonly rows: readonly (readonly [title: string, cells?: CellInputs])[];
}

/** What an oracle does a task with. */
export interface World {
  readonly page: string;
  /** The result of a call, which counts. */
  tool(name: string, args: object): Promise<string>;
  /** Finds and reads a database by calls: its id, and its rows with their ids as `row`. */
  rows(database: string): Promise<{ readonly id: string; readonly rows: readonly Cells[] }>;
}

/** What is there afterwards. */
export interface State {
  table(database: string): Promise<readonly Cells[]>;
  columns(database: string): Promise<readonly { readonly name: string; readonly type: string; readonly options: readonly string[] }[]>;
  /** Blocks of a note as Markdown: of a child of the page, or of the page. */
  note(title?: string): Promise<readonly string[]>;
}

/** A page with databases, as `sample/tasks.json` has it by the name of its task. */
interface Page {
  readonly page: string;
  readonly text?: string;
  readonly tables: readonly Laid[];
}

export interface Task {
  readonly name: string;
  do(world: World): Promise<void>;
  /** The conditions of verify.py that do not hold. */
  check(state: State): Promise<readonly (string | false)[]>;
}

const BOOK = 'Hub';
const PAGES: Readonly<Record<string, Page>> = JSON.parse(readFileSync(join(import.meta.dirname, 'sample/tasks.json'), 'utf8'));
let count = 0;
const optionsOf = () => ({ callId: `c${++count}`, sessionId: 'eval', nodeId: `node ${count}`, signal: new AbortController().signal });

interface Done {
  readonly calls: number;
  readonly tokens: number;
  readonly failed: readonly string[];
}

async function doTask(notes: KernelNotes, task: Task): Promise<Done> {
  const { bench, executor } = notes;
  const databases = databaseCalls(bench);
  const laid = PAGES[task.name];
  const page = await bench.document(`/${laid?.page}`, laid?.text ?? '');
  for (const { name, title, columns, rows } of laid?.tables ?? []) {
    const { id } = await databases.create({ anchor: page, name, columns });
    await databases.write(id, {
      op: 'add_rows',
      newOptions: false,
      rows: rows.map(([each, values]) => ({ title: each, ...(values ? { values } : {}) })),
    });
    if (title !== undefined) await databases.write(id, { op: 'columns', columns: [{ op: 'rename', column: 'Name', name: title }] });
  }
  const idOf = async (find: string): Promise<string> => {
    const all = await bench.host.notes.databases({ find }, optionsOf().signal);
    return all.find(({ name }) => name === find)?.id ?? '';
  };
  let [calls, tokens] = [0, 0];
  const tool: World['tool'] = async (name, args) => {
    const { status, finalText = '' } = await executor.execute(name, { ...args }, optionsOf());
    calls += 1;
    tokens += countTokens(JSON.stringify({ name, args })) + countTokens(finalText);
    if (status !== 'success') throw new Error(`${name}: ${finalText.slice(0, 200)}`);
    return finalText;
  };
  const rows: World['rows'] = async (database) => {
    await tool('db_read', { find: database });
    const id = await idOf(database);
    const { rows: all, total } = await databases.read(id);
    for (let at = 0; at < total; at += 50) await tool('db_read', { id, ...(at === 0 ? {} : { page: at / 50 + 1 }) });
    const table = await databases.table(id);
    return { id, rows: all.map(({ id: row }, index) => ({ ...table[index], row })) };
  };
  const state: State = {
    table: async (database) => databases.table(await idOf(database)),
    columns: async (database) => (await databases.read(await idOf(database))).columns,
    note: async (title) => {
      if (title === undefined) return bench.markdown(page);
      const [found] = await bench.api<{ id: string }[]>('/api/query/sql', {
        stmt: `SELECT id FROM blocks WHERE type = 'd' AND content = '${title}'`,
      });
      return found ? bench.markdown(found.id) : [];
    },
  };
  try {
    await task.do({ page, tool, rows });
    await bench.api('/api/sqlite/flushTransaction', {});
    return { calls, tokens, failed: (await task.check(state)).filter((each) => each !== false) };
  } catch (error) {
    return { calls, tokens, failed: [String(error)] };
  }
}

async function run({ full }: EvalOptions): Promise<readonly EvalRow[]> {
  const tasks = full ? TASKS : TASKS.slice(0, 2);
  const all: Done[] = [];
  for (const task of tasks) {
    const notes = await openNotes({ notebooks: [{ name: BOOK, documents: {}, right: 'delete' }] });
    try {
      all.push(await doTask(notes, task));
    } finally {
      await closeNotes();
    }
  }
  const mean = (of: (done: Done) => number): number => Math.round((10 * all.reduce((sum, each) => sum + of(each), 0)) / all.length) / 10;
  const failed = all.flatMap((each, index) => each.failed.map((why) => `${tasks[index]?.name}: ${why}`));
  const done = all.filter((each) => each.failed.length === 0).length;
  const row = { set: 'mcpmark, Notion', version: '89d7967', cases: all.length };
  const reason = `of 28 tasks ${TASKS.length} can be laid from their description and checks; not to be had, since the pages are not in the repository: ${NOT_HAD.join(', ')}`;
  const held = (measured: string, ours: string): EvalRow => ({ ...row, measured, ours, holds: true, failed: [] });
  const measured = 'tasks that an oracle does with our tools';
  return [
    { ...row, measured, ours: `${done}`, wanted: 'all', holds: done === all.length, failed },
    { ...held('calls a task', `${mean(({ calls }) => calls)}`), ...(full ? { reason } : {}) },
    held('tokens of calls and results a task', `${Math.round(mean(({ tokens }) => tokens))}`),
  ];
}

export const part: EvalPart = { name: 'databases', title: 'Tasks over databases, done by an oracle that knows them', run };
