import { HeadlessApprovalAdapter, toolExecutorFactory } from '../src/tools/index.ts';
import { callOptions, testTool } from '../src/tools/testing/support.ts';
import { type Figure, median } from './figures.ts';

const WARM_UP = 2000;
const CALLS = 6000;
const GROUP_SIZE = 10;
const ARGUMENTS = '{"text":"what stands in the plan of May?","count":"3","tags":["a","b"]}';
/** A result as reading tools give it: it is formatted, escaped, framed and kept as a variable. */
const RESULT = Array.from({ length: 40 }, (_, index) => `@@20260101000000-${index}@@p A paragraph of a note, number ${index}.`).join('\n');

const execute = async () => ({ status: 'success', data: RESULT }) as const;

function toolNamed(name: string) {
  const properties = {
    text: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 1, maximum: 50 },
    tags: { type: 'array', items: { type: 'string' } },
  };
  return testTool(name, { properties, required: ['text'], execute });
}

/** Calls the tools of an executor in turn; each call answers with its time in milliseconds. */
function createCaller(toolCount: number) {
  const names = Array.from({ length: toolCount }, (_, index) => `tool_${index}`);
  const groups = Array.from({ length: toolCount / GROUP_SIZE }, (_, group) => ({
    name: `group_${group}`,
    tools: names.slice(group * GROUP_SIZE, (group + 1) * GROUP_SIZE).map(toolNamed),
  }));
  const executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(),
    clock: { now: Date.now, today: () => '2026-01-01' },
    groups,
    groupDefaults: Object.fromEntries(groups.map(({ name }) => [name, true])),
  });
  let count = 0;
  return async (): Promise<number> => {
    const name = names[count % toolCount] ?? '';
    const options = callOptions(`call_${count++}`);
    const start = performance.now();
    const result = await executor.execute(name, ARGUMENTS, options);
    const time = performance.now() - start;
    if (result.status !== 'success') throw new Error(`bench_failed: ${name} gave ${result.finalText} → mend the benchmark`);
    return time;
  };
}

async function callBare(): Promise<number> {
  const start = performance.now();
  await execute();
  return performance.now() - start;
}

/** What the executor adds to a tool that costs nothing. The three kinds alternate call by call, so that noise hits all. */
export async function measureExecutorOverhead(): Promise<readonly Figure[]> {
  const kinds = [callBare, createCaller(50), createCaller(500)] as const;
  const times = kinds.map((): number[] => []);
  for (let round = 0; round < WARM_UP + CALLS; round++) {
    for (const [index, call] of kinds.entries()) {
      const time = await call();
      if (round >= WARM_UP) times[index]?.push(time);
    }
  }
  const [bare = Number.NaN, fifty = Number.NaN, fiveHundred = Number.NaN] = times.map(median);
  return [
    { name: `executor overhead per call, 50 tools (median of ${CALLS})`, value: fifty - bare, unit: ' ms', limit: 0.2 },
    { name: 'executor overhead per call, 500 tools', value: fiveHundred - bare, unit: ' ms' },
    { name: 'growth from 50 to 500 tools', value: (fiveHundred - bare) / (fifty - bare), unit: '', limit: 1.5 },
  ];
}
