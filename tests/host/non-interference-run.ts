import type { Clock } from '../../src/tools/contract/ports.ts';
import type { ToolExecuteResult } from '../../src/tools/contract/types.ts';
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import { type Call, HASH_OF, WORDS_OF } from './non-interference-arguments.ts';
import type { World } from './non-interference-world.ts';
import { realKernelUrl, settle } from './real-kernel.ts';
import { signal } from './support.ts';

/** What the model has before it after a call: the answer, the variables that it filled, what it may cite. */
export interface View {
  readonly call: Call;
  readonly text: string;
}

/** A model's door to the notes: every group switched on, every approval given. */
export function openExecutor(world: World, clock: Clock): ToolExecutor {
  const { notes } = world.bench.host;
  const files = { write: async (name: string, markdown: string) => ({ path: `/exports/${name} (${markdown.length})` }) };
  const groups = createNotesGroups(notes, clock, { files });
  return toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(() => ({ approved: true })),
    clock,
    groups,
    groupDefaults: Object.fromEntries(groups.map(({ name }) => [name, true])),
    rights: world.bench.host.rights,
  });
}

/** Generated ids, their hashes and times as words; ids of the world by their names. */
function normalised(text: string, world: World): string {
  const names = new Map(Object.entries(world.ids).map(([name, id]) => [id, name]));
  const unknown = new Map<string, string>();
  const name = (id: string): string => {
    const known = names.get(id) ?? unknown.get(id);
    if (known !== undefined) return known;
    unknown.set(id, `new${unknown.size + 1}`);
    return unknown.get(id) ?? '';
  };
  return text
    .replaceAll(/\d{14}-[0-9a-z]{7}/g, (id) => `<${name(id)}>`)
    .replaceAll(/(<new\d+>(?:@@\w+)?)#[0-9a-f]{8}/g, '$1#<hash>')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b|\b20\d{12}\b/g, '<time>');
}

/** Calls tools as a model would: hashes are those that it has read. */
export class Caller {
  readonly executor: ToolExecutor;
  private readonly world: World;
  private readonly hashes = new Map<string, string>();
  private readonly words = new Map<string, string>();
  private count = 0;

  constructor(world: World, executor: ToolExecutor) {
    this.world = world;
    this.executor = executor;
  }

  async call(call: Call): Promise<View> {
    this.count += 1;
    const callId = `c${this.count}`;
    const options = { callId, sessionId: 'non-interference', nodeId: `n${this.count}`, signal };
    const result = await this.execute(call, options);
    for (const [, id = '', hash = '', text = ''] of (result.finalText ?? '').matchAll(/@@([\w-]+)@@\w+#(\w+)([^@\n]*)/g)) {
      this.hashes.set(id, hash);
      this.words.set(id, /\w+ \w+/.exec(text)?.[0] ?? 'nothing');
    }
    const variables = this.executor.varSystem.listVariables().filter(({ name }) => name.includes(`_${callId}_`));
    const kept = variables.map(({ name, desc, value, notebooks }) => ({ name, desc, value, notebooks }));
    this.executor.varSystem.clear();
    const { status, error, rejectReason, formattedText, finalText, notebooks, blockIds } = result;
    const text = JSON.stringify({ status, error, rejectReason, formattedText, finalText, notebooks, blockIds, kept }, null, 1);
    if (result.written !== undefined || (status !== 'error' && this.executor.effectOf(call.tool, call.args) === 'write')) {
      await this.world.bench.host.history.undo('non-interference', `n${this.count}`, signal);
      await this.world.bench.api('/api/sqlite/flushTransaction', {});
      await settle();
    }
    return { call, text: normalised(text, this.world) };
  }

  /** A real kernel refuses for a moment what it has not indexed; the development host never does. */
  private async execute({ tool, args }: Call, options: Parameters<ToolExecutor['execute']>[2]): Promise<ToolExecuteResult> {
    const result = await this.executor.execute(tool, this.filled(args), options);
    if (realKernelUrl === undefined || !result.finalText?.includes('SiYuan is still indexing')) return result;
    await settle();
    return this.execute({ tool, args }, options);
  }

  /** Hashes and words as the model read them; where it read none, what nobody ever wrote. */
  private filled(args: Call['args']): Record<string, unknown> {
    const fill = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(fill);
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item)]));
      if (typeof value !== 'string') return value;
      const known = value.startsWith(HASH_OF) ? this.hashes : value.startsWith(WORDS_OF) ? this.words : undefined;
      if (known === undefined) return value;
      return known.get(String(args[value.split(' ').at(-1) ?? ''])) ?? '00000000';
    };
    return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, fill(value)]));
  }
}

/** Does an answer say the hidden word, in any case, to a call that does not? What a call says is given back in lower case as well. */
export function isLeak({ call, text }: View, secret: string): boolean {
  const says = (said: string): boolean => said.toLowerCase().includes(secret.toLowerCase());
  return says(text) && !says(JSON.stringify(call.args));
}

/** What differs first, with what stands around it. */
export function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 120);
  return `…${around(one)}…\n   not …${around(other)}…`;
}
