import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Call, type Pick, randomCalls, systematicCalls } from './non-interference-arguments.ts';
import { Caller, difference, openExecutor, type View } from './non-interference-run.ts';
import { buildWorld, changeSecret, type World } from './non-interference-world.ts';
import { startBench, type TestBench } from './support.ts';

/**
 * Non-interference: two workspaces that differ in the hidden word only look the same to a model, whatever it calls. Everything that a
 * call puts before a model is compared byte for byte. `MARGINALIA_FUZZ=full` runs every generated call instead of a part of them.
 */
const full = process.env.MARGINALIA_FUZZ === 'full';
/** The second has the length of the first, the third another one, the fourth stands in open notes too, the fifth is no text at all. */
const SECRETS = process.env.DOORS_TWO
  ? ['zqkestrel4711', 'zqfalconx9382']
  : ['zqkestrel4711', 'zqfalconx9382', 'brambleberry', 'meadow', ''];
const SHORT_CALLS = 700;
const RANDOM_CALLS = 3000;
const START = Date.parse('2026-02-01T12:00:00Z');

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

/** Of a workspace of its own, or of the one that the real kernel has, with this word in it. */
async function worldWith(secret: string): Promise<World> {
  now = START;
  step();
  bench = await startBench();
  const world = await buildWorld(bench, '20260101000000', step);
  await changeSecret(world, secret);
  return world;
}

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(async () => {
  await bench?.close();
  bench = undefined;
  vi.restoreAllMocks();
});
afterAll(() => void vi.useRealTimers());

function callsFor(world: World): { readonly reads: readonly Call[]; readonly writes: readonly Call[] } {
  const executor = openExecutor(world, clock);
  const random = seeded(11);
  const definitions = executor.getEnabledToolDefinitions();
  const all = systematicCalls(definitions, world, SECRETS, pickWith(random));
  const more = full ? randomCalls(definitions, world, SECRETS, pickWith(random), RANDOM_CALLS) : [];
  const mixed = shuffled(all, random);
  const calls = [...(full ? mixed : mixed.slice(0, SHORT_CALLS)), ...more];
  const isWrite = ({ tool, args }: Call): boolean => executor.effectOf(tool, args) !== 'read';
  return { reads: calls.filter((call) => !isWrite(call)), writes: calls.filter(isWrite) };
}

async function viewsOf(secret: string): Promise<{ readonly views: readonly View[]; readonly rules: string }> {
  const world = await worldWith(secret);
  const { reads, writes } = callsFor(world);
  const caller = new Caller(world, openExecutor(world, clock));
  const views: View[] = [];
  for (const call of [...reads, ...writes]) {
    step();
    views.push(await caller.call(call));
  }
  const rules = JSON.stringify([caller.executor.toolRules(), caller.executor.getEnabledToolDefinitions()]);
  await bench?.close();
  bench = undefined;
  return { views, rules };
}

it('a model reads the same whatever is hidden', async () => {
  const [first = '', ...others] = SECRETS;
  const base = await viewsOf(first);
  let different: string[] = [];
  const seen = new Set<View>();
  for (const secret of others) {
    const other = await viewsOf(secret);
    expect(other.rules).toBe(base.rules);
    for (const [index, view] of base.views.entries()) {
      const text = other.views[index]?.text ?? '';
      if (view.text === text) continue;
      seen.add(view);
      different.push(`${view.call.tool} ${JSON.stringify(view.call.args)} with "${secret}"\n   ${difference(view.text, text)}`);
    }
  }
  console.log(`${base.views.length} calls over ${SECRETS.length} workspaces: ${seen.size} tell them apart`);
  if (process.env.DOORS_OUT)
    (await import('node:fs')).writeFileSync(`${process.env.DOORS_OUT}.views`, base.views.map((view) => JSON.stringify(view)).join('\n'));
  if (process.env.DOORS_OUT) (await import('node:fs')).writeFileSync(process.env.DOORS_OUT, different.join('\n\n'));
  const leaks = base.views.filter(({ call, text }) => text.includes(first) && !JSON.stringify(call.args).includes(first.slice(0, 4)));
  expect(leaks).toEqual([]);
  different = different.slice(0, 20);
  expect(different).toEqual([]);
}, 3_600_000);
