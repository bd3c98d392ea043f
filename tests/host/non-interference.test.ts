import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { full } from '../support/property-runs.ts';
import { type Call, filingCalls, type Pick, randomCalls, systematicCalls } from './non-interference-arguments.ts';
import { Caller, difference, isLeak, openExecutor, type View } from './non-interference-run.ts';
import { buildWorld, changeSecret, scopeTo, type World } from './non-interference-world.ts';
import { realKernelUrl } from './real-kernel.ts';
import { startBench, type TestBench } from './support.ts';

/**
 * Non-interference: two workspaces that differ in the hidden word only look the same to a model, whatever it calls. Everything that a
 * call puts before a model is compared byte for byte. `MARGINALIA_FUZZ=full` runs every generated call instead of a part of them, a number
 * so many.
 */
const CALLS = full ? Number.POSITIVE_INFINITY : Number(process.env.MARGINALIA_FUZZ ?? 350);
/** The second has the length of the first, the third another one, the fourth is in open notes too, the fifth is no text at all. */
const ASKED_FOR = ['zqkestrel4711', 'zqfalconx9382', 'brambleberry', 'meadow', ''];
/** In the one workspace of a real kernel a word is changed into the next: there it must stand nowhere else. */
const SECRETS = realKernelUrl === undefined ? ASKED_FOR : ASKED_FOR.slice(0, 3);
const RANDOM_CALLS = 3000;
/** A real kernel has a clock of its own, and keeps what earlier runs made. */
const START = realKernelUrl === undefined ? Date.parse('2026-02-01T12:00:00Z') : Date.now();
const PREFIX = realKernelUrl === undefined ? '20260101000000' : new Date(START).toISOString().replaceAll(/\D/g, '').slice(0, 14);

/** The same choices each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pickWith =
  (random: () => number): Pick =>
  (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

let now = START;
/** A second later; what is drawn by lot from here on is the same each time, whatever was drawn before. */
function step(): void {
  now += 1000;
  vi.setSystemTime(now);
  vi.spyOn(Math, 'random').mockImplementation(seeded(now / 1000));
}

const clock = { now: () => now, today: () => new Date(now).toISOString().slice(0, 10) };
let bench: TestBench | undefined;
let world: World | undefined;
/** What keeps the word back: guards alone; or also a list of the only documents that may be read, in place of the guards of others. */
let keptBy: 'guards' | 'scope' = 'guards';

/** A workspace of its own for each word; a real kernel has one, in which the word is changed. */
async function worldWith(secret: string): Promise<World> {
  if (realKernelUrl === undefined || world === undefined) {
    now = START;
    step();
    bench = await startBench();
    world = await buildWorld(bench, PREFIX, step);
  }
  if (keptBy === 'scope') await scopeTo(world);
  await changeSecret(world, secret);
  return world;
}

async function leave(): Promise<void> {
  await bench?.close();
  bench = undefined;
  world = undefined;
}

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => (realKernelUrl === undefined ? leave() : undefined));
afterAll(async () => {
  await leave();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function callsFor(asked: World): { readonly reads: readonly Call[]; readonly writes: readonly Call[] } {
  const executor = openExecutor(asked, clock);
  const random = seeded(11);
  const definitions = executor.getEnabledToolDefinitions();
  const all = systematicCalls(definitions, asked, ASKED_FOR, pickWith(random));
  const more = full ? randomCalls(definitions, asked, ASKED_FOR, pickWith(random), RANDOM_CALLS) : [];
  const mixed = shuffled(all, random);
  const calls = [...mixed.slice(0, CALLS), ...filingCalls(asked, ASKED_FOR), ...more];
  const isWrite = ({ tool, args }: Call): boolean => executor.effectOf(tool, args) !== 'read';
  return { reads: calls.filter((call) => !isWrite(call)), writes: calls.filter(isWrite) };
}

interface Seen {
  readonly views: readonly View[];
  readonly rules: string;
}

async function viewsOf(secret: string, kind: 'reads' | 'writes'): Promise<Seen> {
  const asked = await worldWith(secret);
  const caller = new Caller(asked, openExecutor(asked, clock));
  const views: View[] = [];
  for (const call of callsFor(asked)[kind]) {
    step();
    views.push(await caller.call(call));
  }
  const rules = JSON.stringify([caller.executor.toolRules(), caller.executor.getEnabledToolDefinitions()]);
  if (realKernelUrl === undefined) await leave();
  return { views, rules };
}

it.each([
  ['the word of the call in another case', 'ZQKESTREL4711', 'in no note: zqkestrel4711', false],
  ['the word where the call has none of it', 'open words', '1. ZqKestrel4711 text01', true],
  ['the word where the call has its beginning', 'ZQKESTREL471', '1. zqkestrel4711 text01', true],
  ['another word', 'open words', 'in no note: words', false],
])('an answer is told to leak or not: %s', (_name, query, text, leaks) => {
  expect(isLeak({ call: { tool: 'search_notes', args: { query } }, text }, 'zqkestrel4711')).toBe(leaks);
});

// All reads before all writes: on a real kernel, which has one workspace, an undone write leaves other times and orders behind.
it.each([
  ['guards', 'reads'],
  ['guards', 'writes'],
  ['scope', 'reads'],
  ['scope', 'writes'],
] as const)('a model sees the same whatever is hidden by %s: %s', { timeout: 7_200_000 }, async (by, kind) => {
  keptBy = by;
  const [first = '', ...others] = SECRETS;
  const base = await viewsOf(first, kind);
  const differences: string[] = [];
  for (const secret of others) {
    const other = await viewsOf(secret, kind);
    expect(other.rules).toBe(base.rules);
    for (const [index, { call, text }] of base.views.entries()) {
      const seen = other.views[index]?.text ?? '';
      if (seen !== text) differences.push(`${call.tool} ${JSON.stringify(call.args)} with "${secret}"\n   ${difference(text, seen)}`);
    }
  }
  const kernel = realKernelUrl === undefined ? 'the development host' : 'a real kernel';
  console.log(
    [
      `${base.views.length} ${kind}, kept back by ${by}, over ${SECRETS.length} workspaces of ${kernel}: ${differences.length} differences`,
      ...differences,
    ].join('\n'),
  );
  // Whatever is there already, each new note was written.
  if (kind === 'writes') expect(base.views.filter(({ text }) => text.includes('new notes only: neither')).length).toBeGreaterThan(50);
  expect(base.views.filter((view) => isLeak(view, first))).toEqual([]);
  expect(differences).toEqual([]);
});
