// The reading tools over large notes and large notebooks: what each asks of the kernel, beside the routes that answer the same.
import { createNotesGroups, HeadlessApprovalAdapter, toolExecutorFactory } from '../../src/tools/index.ts';
import type { BenchReport, Figure } from '../figures.ts';
import type { BenchSize } from '../size.ts';
import { type BenchKernel, type MeasuredHost, openKernel, openMeasured } from './bench-kernel.ts';
import { type Case, casesFor } from './cases.ts';
import { openMore, openWorkspace } from './workspace.ts';
import { benchWrites } from './writes.ts';

interface Cost {
  readonly requests: number;
  readonly bytes: number;
  readonly sideBySide: number;
  readonly ms: number;
  /** Why it gave no answer. */
  readonly failed?: string;
}

interface Measured {
  readonly what: Case;
  readonly ours: Cost;
  readonly bare: Cost;
}

/** One that took longer than this is not run again. */
const SLOW_MS = 3000;
const BYTES_TIMES = 3;
const WORKSPACE_GROWTH = 1.3;
const NOTE_GROWTH = 1.5;
/** What a call costs that reads next to nothing: rights and envelopes. It counts as one bare answer of this size. */
const LEAST_BYTES = 4000;

async function costOf({ traffic }: MeasuredHost, run: () => Promise<string | undefined>): Promise<Cost> {
  Object.assign(traffic, { requests: 0, bytes: 0, sideBySide: 0 });
  const start = performance.now();
  const failed = await run().catch((error: unknown) => String(error));
  return { ...traffic, ms: performance.now() - start, ...(failed === undefined ? {} : { failed }) };
}

async function callTool(measured: MeasuredHost, { tool, args }: Case): Promise<string | undefined> {
  const { notes, rights } = measured.host;
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const groups = createNotesGroups(notes, clock);
  const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
  const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false }));
  const executor = toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults, rights });
  Object.assign(measured.traffic, { requests: 0, bytes: 0, sideBySide: 0 });
  const signal = new AbortController().signal;
  const { status, finalText = '' } = await executor.execute(tool, args, { callId: 'c1', sessionId: 'bench', nodeId: 'n1', signal });
  return status === 'success' ? undefined : finalText;
}

async function oursOf(kernel: BenchKernel, what: Case): Promise<Cost> {
  const measured = openMeasured(kernel);
  try {
    return await costOf(measured, () => callTool(measured, what));
  } finally {
    measured.close();
  }
}

async function bareOf(kernel: BenchKernel, what: Case): Promise<Cost> {
  const measured = openMeasured(kernel);
  try {
    return await costOf(measured, async () => {
      await what.bare(measured.call);
      return undefined;
    });
  } finally {
    measured.close();
  }
}

/** The best of several, ours and the bare route in turns: others use the machine too. Requests and bytes are those of the first. */
async function measure(kernel: BenchKernel, what: Case, runs: number): Promise<Measured> {
  const ours = [await oursOf(kernel, what)];
  const bare = [await bareOf(kernel, what)];
  for (let run = 1; run < runs && (ours[0]?.ms ?? 0) < SLOW_MS; run += 1) {
    ours.push(await oursOf(kernel, what));
    bare.push(await bareOf(kernel, what));
  }
  const whole = (costs: readonly Cost[]): Cost => {
    const none: Cost = { requests: Number.NaN, bytes: Number.NaN, sideBySide: Number.NaN, ms: Number.NaN };
    return { ...(costs[0] ?? none), ms: Math.min(...costs.map(({ ms }) => ms)) };
  };
  console.error(`  ${what.name}: ${Math.round(ours[0]?.ms ?? 0)} ms`);
  return { what, ours: whole(ours), bare: whole(bare) };
}

async function measureAll(kernel: BenchKernel, cases: readonly Case[], runs: number): Promise<readonly Measured[]> {
  const all: Measured[] = [];
  for (const what of cases) all.push(await measure(kernel, what, runs));
  return all;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
const ratio = (value: number): string => `${value.toFixed(1)}×`;

function line({ what, ours, bare }: Measured): string {
  const cells = [
    what.name.padEnd(38),
    `${ours.requests} requests (${ours.sideBySide} at once)`.padEnd(28),
    `${kilobytes(ours.bytes)}, bare ${kilobytes(bare.bytes)}`.padEnd(32),
    `${ours.ms.toFixed(0)} ms, bare ${bare.ms.toFixed(0)} ms`.padEnd(28),
    ratio(ours.ms / bare.ms),
  ];
  return `${cells.join(' ')}${ours.failed === undefined ? '' : `  FAILED ${ours.failed.slice(0, 100)}`}`;
}

function limitsOf({ what, ours, bare }: Measured): Figure[] {
  const failed = ours.failed === undefined && bare.failed === undefined ? 1 : Number.NaN;
  return [
    { name: `${what.name}: requests`, value: ours.requests * failed, unit: '', limit: what.requests },
    { name: `${what.name}: bytes`, value: (ours.bytes * failed) / Math.max(bare.bytes, LEAST_BYTES), unit: '×', limit: BYTES_TIMES },
  ];
}

/** How much more the second asks and is sent than the first. Times are printed, and decide nothing: others use the machine too. */
const growthOf = (less: Cost, more: Cost): number =>
  Math.max(more.requests / less.requests, Math.max(more.bytes, LEAST_BYTES) / Math.max(less.bytes, LEAST_BYTES));

function noteGrowth(measured: readonly Measured[]): Figure[] {
  const groups = [...new Set(measured.flatMap(({ what }) => (what.window ? [what.window.of] : [])))];
  return groups.flatMap((name) => {
    const group = measured.filter(({ what }) => what.window?.of === name);
    const [small, large] = [group[0], group.at(-1)];
    if (!small || !large) return [];
    const value = growthOf(small.ours, large.ours) / Math.max(1, growthOf(small.bare, large.bare));
    const sizes = `${small.what.window?.note} to ${large.what.window?.note}`;
    return [{ name: `${name}: growth from a note of ${sizes} blocks, beyond the bare route's`, value, unit: '×', limit: NOTE_GROWTH }];
  });
}

function workspaceGrowth(first: readonly Measured[], second: readonly Measured[], blocks: number): Figure[] {
  return first.flatMap((less, index) => {
    const more = second[index];
    if (!more) return [];
    const value = growthOf(less.ours, more.ours);
    return [{ name: `${less.what.name}: growth from ${blocks} to ${2 * blocks} blocks`, value, unit: '×', limit: WORKSPACE_GROWTH }];
  });
}

/**
 * `npm run bench -- notebooks`: on a development host of its own, or on the SiYuan that SIYUAN_URL and SIYUAN_TOKEN name, which
 * keeps the notebooks that are made for it.
 */
export async function benchNotebooks({ runs, notebook: { blocks, notes } }: BenchSize): Promise<BenchReport> {
  const isGiven = process.env.SIYUAN_URL !== undefined;
  const kernel = await openKernel();
  try {
    await openMore(kernel, blocks, false);
    console.error(`making ${blocks} blocks …`);
    const workspace = await openWorkspace(kernel, blocks, notes);
    const cases = await casesFor(kernel, workspace);
    const first = await measureAll(kernel, cases, runs);
    console.error(`making ${blocks} more …`);
    await openMore(kernel, blocks, true);
    const second = await measureAll(kernel, cases, runs);
    const writes = await benchWrites(kernel, notes.at(-1) ?? 0, blocks);
    // A real SiYuan has no page of ours to open the dock in.
    const opening = isGiven ? [] : await (await import('./opening.ts')).measureOpening();
    return {
      notes: [
        `${kernel.kind}; ${workspace.source}; notes of ${notes.join(', ')} blocks in ${workspace.blocks}, then in twice as many`,
        ...first.map(line),
        ...['', `with ${2 * blocks} blocks:`],
        ...second.map(line),
        ...writes.notes,
      ],
      figures: [...first.flatMap(limitsOf), ...noteGrowth(first), ...workspaceGrowth(first, second, blocks), ...writes.figures, ...opening],
    };
  } finally {
    await kernel.close();
  }
}
