// What a change costs in a short and in a long note: plan, apply and undo, beside the kernel's own writing in the same run.

import { hashOfBlock, shortHash } from '../../src/host/blocks/block-hash.ts';
import { createNotesGroups, HeadlessApprovalAdapter, toolExecutorFactory } from '../../src/tools/index.ts';
import type { BenchReport, Figure } from '../figures.ts';
import { type BenchKernel, type MeasuredHost, noTraffic, openMeasured, type Traffic } from './bench-kernel.ts';
import { openWritten } from './written-notes.ts';

/** A call that changes notes; what it changed is undone afterwards. */
interface WriteCase {
  readonly name: string;
  /** One call each; of several, each is planned and applied before the next. */
  readonly calls: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** Cases of one name are compared: the first is the smaller note. */
  readonly of?: string;
}

type Phase = 'plan' | 'apply' | 'undo';
const PHASES: readonly Phase[] = ['plan', 'apply', 'undo'];

interface PhaseCost extends Traffic {
  readonly ms: number;
}

interface MeasuredWrite {
  readonly what: WriteCase;
  readonly costs: Readonly<Record<Phase, PhaseCost>>;
  readonly failed?: string;
}

/** Bytes and requests of one edit in the long note, for each in the short one. */
const EDIT_GROWTH = 2;
/** As many as one call of a tool takes. */
const IDS_A_CALL = 50;
/** Milliseconds for a call: what is slow is to be printed, not broken off. */
const LONGEST_MS = 600_000;

/** Traffic and time since the last look, by phase. */
class Meter {
  readonly costs = { plan: { ...noTraffic(), ms: 0 }, apply: { ...noTraffic(), ms: 0 }, undo: { ...noTraffic(), ms: 0 } };
  private readonly traffic: Traffic;
  private since = performance.now();

  constructor(traffic: Traffic) {
    this.traffic = traffic;
    this.start();
  }

  start(): void {
    Object.assign(this.traffic, noTraffic());
    this.since = performance.now();
  }

  add(phase: Phase): void {
    const { requests, bytes, writing } = this.traffic;
    const cost = this.costs[phase];
    Object.assign(cost, { requests: cost.requests + requests, bytes: cost.bytes + bytes, ms: cost.ms + performance.now() - this.since });
    cost.writing = {
      requests: cost.writing.requests + writing.requests,
      bytes: cost.writing.bytes + writing.bytes,
      ms: cost.writing.ms + writing.ms,
    };
    this.start();
  }
}

async function callAll(measured: MeasuredHost, what: WriteCase, meter: Meter, sessionId: string): Promise<string | undefined> {
  const { notes, rights } = measured.host;
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const groups = createNotesGroups(notes, clock);
  const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
  const approvalAdapter = new HeadlessApprovalAdapter(() => {
    meter.add('plan');
    return { approved: true };
  });
  const executor = toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults, rights });
  const signal = new AbortController().signal;
  for (const [index, { tool, args }] of what.calls.entries()) {
    const options = { callId: `c${index}`, sessionId, nodeId: 'n1', signal, timeoutMs: LONGEST_MS };
    const { status, finalText = '' } = await executor.execute(tool, args, options);
    meter.add('apply');
    if (status !== 'success') return finalText;
  }
  return undefined;
}

async function measure(kernel: BenchKernel, notebook: string, what: WriteCase): Promise<MeasuredWrite> {
  const measured = openMeasured(kernel);
  measured.host.policy.setRight(notebook, 'delete');
  const meter = new Meter(measured.traffic);
  const sessionId = `bench-${Date.now()}`;
  try {
    const failed = await callAll(measured, what, meter, sessionId).catch(String);
    meter.start();
    const undone = await measured.host.history.undo(sessionId, 'n1', new AbortController().signal);
    meter.add('undo');
    await measured.host.journal.forget(sessionId);
    const problem = failed ?? (undone.conflicts.length > 0 ? JSON.stringify(undone.conflicts[0]) : undefined);
    console.error(`  ${what.name}: ${PHASES.map((phase) => `${phase} ${Math.round(meter.costs[phase].ms)} ms`).join(', ')}`);
    return { what, costs: meter.costs, ...(problem === undefined ? {} : { failed: problem }) };
  } finally {
    measured.close();
  }
}

const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_none, index) => `A new paragraph, number ${index}.`).join('\n\n');

async function hashOf(kernel: BenchKernel, id: string): Promise<string> {
  const { dom } = await kernel.api<{ dom: string }>('/api/block/getBlockDOM', { id });
  return shortHash(hashOfBlock(dom));
}

/** In a note: blocks in its middle, that nothing refers to. */
async function noteCases(kernel: BenchKernel, size: number, id: string): Promise<WriteCase[]> {
  const children = await kernel.api<{ id: string; type: string; markdown: string }[]>('/api/block/getChildBlocks', { id });
  const middle = Math.floor(children.length / 2);
  const plain = children.slice(middle).filter(({ type, markdown }) => type === 'p' && /^Plain paragraph/.test(markdown));
  const [target, other] = [plain[0]?.id ?? '', children[1]?.id ?? ''];
  const expectHash = await hashOf(kernel, target);
  const of = (name: string, tool: string, args: object): WriteCase => ({
    name: `${name}, ${size} blocks`,
    of: name,
    calls: [{ tool, args: { ...args } }],
  });
  const ids = (count: number): string[] => children.slice(middle, middle + count).map((child) => child.id);
  const several = (name: string, count: number): WriteCase => ({
    name: `${name}, ${size} blocks`,
    calls: Array.from({ length: Math.ceil(count / IDS_A_CALL) }, (_none, index) => ({
      tool: 'delete_blocks',
      args: { ids: ids(count).slice(index * IDS_A_CALL, (index + 1) * IDS_A_CALL) },
    })),
  });
  const short = [
    of('edit one', 'edit_block', { id: target, expectHash, edits: [{ old: 'Plain', new: 'Changed' }] }),
    of('insert 100', 'insert_blocks', { anchor: target, position: 'after', markdown: paragraphs(100) }),
    of('append one', 'insert_blocks', { anchor: id, position: 'append', markdown: paragraphs(1) }),
    of('move 3', 'move_blocks', { ids: plain.slice(0, 3).map((each) => each.id), after: other }),
    of('delete 3', 'delete_blocks', { ids: plain.slice(0, 3).map((each) => each.id) }),
  ];
  return [
    ...short,
    ...(children.length > 120 ? [several('delete 50', 50)] : []),
    ...(children.length > 1100 ? [several('delete 500', 500)] : []),
  ];
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

function lines({ what, costs, failed }: MeasuredWrite): string[] {
  return PHASES.map((phase, index) => {
    const { requests, bytes, ms, writing } = costs[phase];
    const own =
      phase === 'plan' ? '' : `kernel's own ${writing.requests} requests, ${kilobytes(writing.bytes)}, ${writing.ms.toFixed(0)} ms`;
    const cells = [
      (index === 0 ? what.name : '').padEnd(28),
      phase.padEnd(6),
      `${requests} requests`.padEnd(15),
      kilobytes(bytes).padEnd(12),
      `${ms.toFixed(0)} ms`.padEnd(10),
      writing.ms > 0 ? `${(ms / writing.ms).toFixed(1)}×`.padEnd(8) : ''.padEnd(8),
    ];
    return `${cells.join(' ')}${own}${failed !== undefined && index === 0 ? `  FAILED ${failed.slice(0, 120)}` : ''}`;
  });
}

/** How much more is asked and sent, each phase by itself; the kernel's own writing is not ours to shorten. */
function growth(less: MeasuredWrite, more: MeasuredWrite): Figure[] {
  const failed = less.failed === undefined && more.failed === undefined ? 1 : Number.NaN;
  return PHASES.map((phase) => {
    const [small, large] = [less.costs[phase], more.costs[phase]];
    const value = failed * Math.max(large.requests / small.requests, large.bytes / small.bytes);
    return { name: `${more.what.name}: ${phase} beside ${less.what.name}`, value, unit: '×', limit: EDIT_GROWTH };
  });
}

/** The rows of changes. `longest`: blocks of the long note; `blocks`: of the workspace, by which it is known how much there shall be. */
export async function benchWrites(kernel: BenchKernel, longest: number, blocks: number): Promise<BenchReport> {
  console.error('making notes to write in …');
  const written = await openWritten(kernel, longest, blocks < 50_000 ? 100 : 980);
  const cases: WriteCase[] = [];
  for (const [size, id] of written.sized) cases.push(...(await noteCases(kernel, size, id)));
  cases.push({
    name: 'rewrite 1000',
    calls: [{ tool: 'rewrite_doc', args: { id: written.rewritten.id, markdown: written.rewritten.markdown } }],
  });
  cases.push({
    name: `tags rename, ${written.tagged} notes`,
    calls: [{ tool: 'tags', args: { op: 'rename', label: written.tag, to: `${written.tag}-new` } }],
  });
  const measured: MeasuredWrite[] = [];
  for (const what of cases) measured.push(await measure(kernel, written.notebook, what));
  const names = [...new Set(measured.flatMap(({ what }) => what.of ?? []))];
  const figures = names.flatMap((name) => {
    const [small, large] = measured.filter(({ what }) => what.of === name);
    return small && large ? growth(small, large) : [];
  });
  const failures: Figure[] = measured
    .filter(({ failed }) => failed !== undefined)
    .map(({ what }) => ({ name: `${what.name}: failed`, value: Number.NaN, unit: '', limit: 0 }));
  return { notes: ['', 'changes:', ...measured.flatMap(lines)], figures: [...figures, ...failures] };
}
