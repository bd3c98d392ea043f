// Run by variable-bomb.test.ts in a process of its own, whose heap is limited to what a variable bomb may take: 10,000 calls
// with values of 1 MiB and references to references. Prints one line of JSON; a bomb that works dies of the heap limit.
import { resolveReferences } from '../executor/references.ts';
import { VariableSystem } from '../executor/variables.ts';
import { callOptions, testClock, testExecutor, testTool } from './support.ts';

const CALLS = 10_000;
/** Two bytes a character: 1 MiB. */
const BIG = 512 * 1024;

export interface BombReport {
  readonly calls: number;
  /** Calls by `success` or the code of their error. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly variableBytes: number;
  readonly variables: number;
  readonly longestVariable: number;
  readonly peakHeapBytes: number;
  /** CPU time of the last fifth of the calls relative to the second: 1 if a call costs the same however many preceded it. */
  readonly growthByCalls: number;
  /** CPU time for a text relative to sixteen times that of its sixteenth: 1 if it is linear, 16 if it is quadratic. */
  readonly growthBySize: number;
}

function createBomb() {
  const text = { text: { type: 'string' } };
  const { executor } = testExecutor([
    testTool('big', { execute: async (_args, { callId }) => ({ status: 'success', data: 'ž'.repeat(BIG - callId.length) + callId }) }),
    testTool('echo', { properties: text, execute: async (args) => ({ status: 'success', data: args.text }) }),
  ]);
  executor.toggleGroupEnabled('vars', true);
  executor.varSystem.addVariable('bomb_0', 'boom '.repeat(200), 'LLMAdd');
  let level = 0;
  /** Doubles the last variable until the limit of a call's arguments refuses; then starts again. */
  const double = async (callId: string) => {
    const reference = `$VAR_REF{{bomb_${level}}}`;
    const result = await executor.execute('WriteVar', { name: `bomb_${level + 1}`, value: reference + reference }, callOptions(callId));
    level = result.status === 'success' ? level + 1 : 0;
    return result;
  };
  const execute = (index: number) => {
    const callId = `c${index}`;
    const reference = `$VAR_REF{{bomb_${level}}}`;
    if (index % 10 === 0) return executor.execute('big', {}, callOptions(callId));
    if (index % 5 === 1) return double(callId);
    if (index % 5 === 2 || index % 5 === 0) return executor.execute('echo', { text: reference.repeat(50) }, callOptions(callId));
    if (index % 5 === 3) return executor.execute('ReadVar', { name: `bomb_${level}`, length: 50_000 }, callOptions(callId));
    // A value full of references: resolving them again would build 200 times as much.
    const name = 'nested';
    const value = index % 2 === 0 ? `\\${reference}`.repeat(200) : '$VAR_REF{{nested}}';
    return executor.execute('WriteVar', { name: index % 2 === 0 ? name : 'copy', value }, callOptions(callId));
  };
  return { executor, execute };
}

/** Milliseconds of this process, whatever else the machine does. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function resolveText(characters: number, times: number): number {
  const variables = new VariableSystem({ clock: testClock() });
  variables.addVariable('v', 'x'.repeat(100), 'LLMAdd');
  const text = '\\$VAR_REF{{v}} $VAR_REF{{v}} \\\\\\ '.repeat(Math.floor(characters / 120));
  const start = cpuTime();
  for (let count = 0; count < times; count++) resolveReferences({ text }, variables);
  return cpuTime() - start;
}

function measureGrowthBySize(): number {
  let [large, small] = [0, 0];
  for (let round = 0; round < 15; round++) {
    small += resolveText(55_000, 16);
    large += resolveText(880_000, 1);
  }
  return large / small;
}

async function explode(): Promise<BombReport> {
  const { executor, execute } = createBomb();
  const outcomes: Record<string, number> = {};
  const fifths: number[] = [0, 0, 0, 0, 0];
  let peakHeapBytes = 0;
  for (let index = 0; index < CALLS; index++) {
    const start = cpuTime();
    const { status, error } = await execute(index);
    const fifth = Math.floor((index * 5) / CALLS);
    fifths[fifth] = (fifths[fifth] ?? 0) + cpuTime() - start;
    const outcome = error?.code ?? status;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (index % 20 === 0) peakHeapBytes = Math.max(peakHeapBytes, process.memoryUsage().heapUsed);
  }
  const { bytes, entries } = executor.varSystem.size();
  const longestVariable = executor.varSystem.save().reduce((longest, { value }) => Math.max(longest, value.length), 0);
  const growthByCalls = (fifths[4] ?? Number.NaN) / (fifths[1] ?? Number.NaN);
  const growthBySize = measureGrowthBySize();
  return { calls: CALLS, outcomes, variableBytes: bytes, variables: entries, longestVariable, peakHeapBytes, growthByCalls, growthBySize };
}

console.log(JSON.stringify(await explode()));
