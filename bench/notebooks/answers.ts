// Answers saved in notes of a large workspace: what it takes to list those that are out of date, and to notice one more change.
import { createAccess } from '../../src/host/access/access.ts';
import { KernelSavedAnswers } from '../../src/host/answers/saved-answers.ts';
import { readSources } from '../../src/host/answers/source-states.ts';
import { CITES_ATTRIBUTE } from '../../src/host/blocks/source-attributes.ts';
import type { TransactionsPush } from '../../src/host/kernel/transaction-log.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { type BenchReport, type Figure, median } from '../figures.ts';
import type { BenchSize } from '../size.ts';
import { type BenchKernel, type MeasuredHost, noTraffic, openKernel, openMeasured } from './bench-kernel.ts';
import { openWorkspace } from './workspace.ts';

const ANSWERS = 1000;
const MOST_REQUESTS = 5;
const signal = new AbortController().signal;

/** All that is kept in the attributes, and the time of each block that keeps it: the least that a list can be made from. */
const BARE =
  'SELECT attributes.block_id, attributes.value, blocks.updated FROM attributes JOIN blocks ON blocks.id = attributes.block_id ' +
  `WHERE attributes.name = '${CITES_ATTRIBUTE}' LIMIT 10000`;

interface Saved {
  readonly source: string;
  readonly answer: string;
}

/** Paragraphs of one note are answers; each cites another paragraph somewhere in the workspace. */
async function saveAnswers(kernel: BenchKernel, measured: MeasuredHost, notebook: string): Promise<Saved> {
  const markdown = Array.from({ length: ANSWERS }, (_none, at) => `Answer ${at}.`).join('\n\n');
  const note = await kernel.api<string>('/api/filetree/createDocWithMd', { notebook, path: `/Answers ${Date.now()}`, markdown });
  const answers = await kernel.api<{ id: string }[]>('/api/block/getChildBlocks', { id: note });
  const stmt =
    `SELECT id FROM blocks WHERE box = '${notebook}' AND type = 'p' AND root_id <> '${note}' AND hpath LIKE '/Shelf %' ` +
    `ORDER BY substr(id, 16) LIMIT ${ANSWERS}`;
  const sources = await kernel.api<{ id: string }[]>('/api/query/sql', { stmt, mode: 'readonly' });
  const { routes, policy } = measured.base;
  const ids = sources.map(({ id }) => id);
  const { states } = await readSources({ routes, engine: testEngine(), access: createAccess(routes, policy) }, ids, signal);
  const blockAttrs = answers.map(({ id }, at) => {
    const source = ids[at] ?? '';
    const { hash = '', updated = '', documentId = '', words = '' } = states.get(source) ?? {};
    return { id, attrs: { [CITES_ATTRIBUTE]: JSON.stringify([[source, hash, updated, documentId, notebook, words]]) } };
  });
  await kernel.api('/api/attr/batchSetBlockAttrs', { blockAttrs });
  await kernel.api('/api/sqlite/flushTransaction', {});
  const middle = ANSWERS / 2;
  return { source: ids[middle] ?? '', answer: answers[middle]?.id ?? '' };
}

interface Round {
  readonly opening: number;
  readonly noticing: number;
  readonly openMs: number;
  readonly noticeMs: number;
  readonly bareMs: number;
  readonly isNoticed: boolean;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function round(kernel: BenchKernel, saved: Saved, at: number): Promise<Round> {
  const measured = openMeasured(kernel);
  try {
    const { routes, policy, clock } = measured.base;
    let heard: (push: TransactionsPush) => unknown = () => undefined;
    const answers = new KernelSavedAnswers({
      ...{ routes, clock, engine: testEngine(), accessOver: (over: typeof routes) => createAccess(over, policy) },
      ...{ onRights: () => () => undefined, later: () => undefined },
      pushes: {
        onTransactions(listener) {
          heard = listener;
          return () => undefined;
        },
      },
    });
    const bareMs = await timed(() => measured.call('/api/query/sql', { stmt: BARE, mode: 'readonly' }));
    Object.assign(measured.traffic, noTraffic());
    const openMs = await timed(() => answers.open(signal));
    const { requests: opening } = measured.traffic;
    const before = answers.outdated().size;
    await kernel.api('/api/block/updateBlock', { id: saved.source, dataType: 'markdown', data: `Changed, ${at}.` });
    Object.assign(measured.traffic, noTraffic());
    heard({ session: 'other', blockIds: [saved.source], operations: [] });
    const noticeMs = await timed(() => answers.lookUp(signal));
    const outdated = answers.outdated();
    answers.close();
    // From the second round on, the list is not empty when it opens: the change of the round before is in it.
    const isNoticed = outdated.size === 1 && outdated.has(saved.answer) && before === Math.min(at, 1);
    return { opening, noticing: measured.traffic.requests, openMs, noticeMs, bareMs, isNoticed };
  } finally {
    measured.close();
  }
}

/** `npm run bench -- answers`: on a kernel of its own, or on the SiYuan of SIYUAN_URL, which keeps the notebook. */
export async function benchAnswers({ runs, notebook }: BenchSize): Promise<BenchReport> {
  const blocks = 2 * notebook.blocks;
  const kernel = await openKernel();
  const measured = openMeasured(kernel);
  try {
    console.error(`making ${blocks} blocks …`);
    const workspace = await openWorkspace(kernel, blocks, []);
    const saved = await saveAnswers(kernel, measured, workspace.notebook);
    const rounds: Round[] = [];
    for (let at = 0; at < runs; at += 1) {
      rounds.push(await round(kernel, saved, at));
      // As between two starts of SiYuan: its index has what was written.
      await kernel.api('/api/sqlite/flushTransaction', {});
    }
    const of = (value: (round: Round) => number): number => median(rounds.map(value));
    const [openMs, noticeMs, bareMs] = [of((one) => one.openMs), of((one) => one.noticeMs), of((one) => one.bareMs)];
    const noticed = rounds.every(({ isNoticed }) => isNoticed) ? 1 : Number.NaN;
    const most = (name: string, of: (round: Round, at: number) => number): Figure => ({
      ...{ name, value: noticed * Math.max(...rounds.map(of)), unit: '', limit: MOST_REQUESTS },
    });
    const figures: Figure[] = [
      most('opening, with one source changed before (none at first): requests', ({ opening }) => opening),
      most('opening and noticing one change, with none before: requests', ({ opening, noticing }, at) =>
        at === 0 ? opening + noticing : 0,
      ),
      most('noticing one change: requests', ({ noticing }) => noticing),
      { name: 'opening, beside the bare statement', value: openMs / bareMs, unit: '×' },
      { name: 'noticing one change, beside the bare statement', value: noticeMs / bareMs, unit: '×' },
    ];
    const ms = `opening ${openMs.toFixed(0)} ms, noticing ${noticeMs.toFixed(0)} ms, bare statement ${bareMs.toFixed(0)} ms`;
    return { notes: [`${kernel.kind}; ${workspace.source}; ${ANSWERS} answers in ${workspace.blocks} blocks; ${ms}`], figures };
  } finally {
    measured.close();
    await kernel.close();
  }
}
