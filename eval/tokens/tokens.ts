import { openTools, type PlacedSet, place } from '../../bench/finding/finding.ts';
import { questionSets, samples } from '../../bench/finding/questions.ts';
import { type BenchKernel, type MeasuredHost, openKernel, openMeasured } from '../../bench/notebooks/bench-kernel.ts';
import { playing, type Step, sizeOf } from '../../bench/task-tokens.ts';
import { createChatHandler } from '../../src/chat/turn/handlers.ts';
import { executeToolChain } from '../../src/tools/chain/tool-chain.ts';
import type { CompletionRequest } from '../../src/tools/contract/messages.ts';
import type { BlockReading } from '../../src/tools/contract/note-readings.ts';
import { GROUP_DEFAULTS } from '../../src/tools/groups/notes-groups.ts';
import { testClock } from '../../src/tools/testing/support.ts';
import { NEVER } from '../../src/tools/util/abort.ts';
import type { EvalPart, EvalRow } from '../part.ts';
import { openSiYuanTools, requestsOf } from './siyuan-mcp.ts';

/** The same thing to do, with our tools and with SiYuan's own. */
interface Task {
  readonly question: string;
  readonly ours: readonly Step<null>[];
  readonly theirs: readonly (readonly [tool: string, args: object])[];
}

interface Target {
  readonly id: string;
  readonly title: string;
  readonly block: BlockReading;
  readonly word: string;
}

const WANTED = 0.6;

/** A question names a note by its path, or by its name alone. */
const idOf = ({ documents }: PlacedSet, note: string): string =>
  [...documents].find(([title]) => title === note || title.endsWith(`/${note}`))?.[1] ?? '';

/** A note, and a paragraph of it with a word that is there once. */
async function targetOf({ host }: MeasuredHost, id: string): Promise<Target | undefined> {
  const { blocks, title } = await host.notes.document({ id }, { start: 0, blocks: 60 }, NEVER);
  for (const block of blocks.filter(({ type }) => type === 'p')) {
    const word = block.markdown.match(/\p{L}{5,}/gu)?.find((each) => block.markdown.split(each).length === 2);
    if (word !== undefined) return { id, title, block, word };
  }
  return undefined;
}

const search = (query: string): Pick<Task, 'ours' | 'theirs'> => ({
  ours: [['search_notes', () => ({ query })]],
  theirs: [['search', { action: 'fulltext', query }]],
});
const read = (id: string): Pick<Task, 'ours' | 'theirs'> => ({
  ours: [['read_doc', () => ({ id })]],
  theirs: [['document', { action: 'get', id }]],
});
const joined = (question: string, ...parts: readonly Pick<Task, 'ours' | 'theirs'>[]): Task => ({
  question,
  ours: parts.flatMap(({ ours }) => ours),
  theirs: parts.flatMap(({ theirs }) => theirs),
});

/** Four questions that a note answers, and six things to do with notes. */
function tasksOf(
  asked: readonly { readonly question: string; readonly id: string }[],
  notebook: string,
  [one, two, three, four, five]: readonly Target[],
): readonly Task[] {
  if (!one || !two || !three || !four || !five) throw new Error('eval_failed: the notes have too few paragraphs');
  const edited = one.block.markdown.replace(one.word, 'changed');
  const today = 'Anna called.';
  const stmt = 'SELECT id, hpath, updated FROM blocks WHERE type = "d" ORDER BY updated DESC LIMIT 20';
  return [
    ...asked.slice(0, 4).map(({ question, id }) => joined(question, search(question), read(id))),
    joined(`Change “${one.word}” in ${one.title}.`, read(one.id), {
      ours: [['edit_block', () => ({ id: one.block.id, expectHash: one.block.hash, edits: [{ old: one.word, new: 'changed' }] })]],
      theirs: [
        ['block', { action: 'get_children', id: one.id }],
        ['block', { action: 'update', id: one.block.id, dataType: 'markdown', data: edited }],
      ],
    }),
    joined(`Write a summary of ${two.title} beside it.`, read(two.id), {
      ours: [['create_doc', () => ({ notebook, path: '/Summary', markdown: 'In short.' })]],
      theirs: [['document', { action: 'create', notebook, path: '/Summary too', title: 'Summary too', markdown: 'In short.' }]],
    }),
    joined(`Add a paragraph to ${three.title}.`, read(three.id), {
      ours: [['insert_blocks', () => ({ anchor: three.id, position: 'append', markdown: 'One more.' })]],
      theirs: [['block', { action: 'append', parentID: three.id, dataType: 'markdown', data: 'One more.' }]],
    }),
    joined(`Mark ${four.title} as done.`, search(four.title), {
      ours: [['attributes', () => ({ op: 'set', ids: [four.id], attrs: { 'custom-state': 'done' } })]],
      theirs: [['attr', { action: 'set', id: four.id, attrs: { 'custom-state': 'finished' } }]],
    }),
    joined('Put into today’s note that Anna called.', {
      ours: [['daily_note', () => ({ op: 'append', notebook, markdown: today })]],
      theirs: [['dailynote', { action: 'append', notebook, data: today, dataType: 'markdown' }]],
    }),
    joined(
      'What did I change this week?',
      { ours: [['recent_docs', () => ({})]], theirs: [['sql', { action: 'query', stmt }]] },
      read(five.id),
    ),
  ];
}

const sum = (requests: readonly CompletionRequest[]): number => requests.reduce((all, request) => all + sizeOf(request), 0);

async function playOurs(measured: MeasuredHost, { question, ours }: Task): Promise<number> {
  const executor = openTools(measured);
  for (const { name } of executor.groups()) executor.toggleGroupEnabled(name, GROUP_DEFAULTS[name] === true);
  const settings = () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 20 });
  const handler = createChatHandler({ executor, settings, today: () => '2026-01-15', timeZone: 'Europe/Berlin' });
  await handler.fitTools(undefined, NEVER);
  const requests: CompletionRequest[] = [];
  const { toolCallHistory } = await executeToolChain(executor, undefined, {
    ...{ complete: playing(null, ours, requests), sessionId: 'eval', turnId: 't', nodeId: crypto.randomUUID(), clock: testClock() },
    contextMessages: [{ role: 'user', content: question }],
    systemPrompt: handler.buildSystemPrompt(),
  });
  const failed = toolCallHistory.find(({ result }) => result.status !== 'success');
  if (failed) throw new Error(`eval_failed: ${failed.toolName}: ${failed.result.finalText}`);
  return sum(requests);
}

async function measure(kernel: BenchKernel, peer: { readonly url: string; readonly token: string } | undefined): Promise<EvalRow> {
  const measured = openMeasured(kernel);
  try {
    const set = peer ? questionSets().find(({ name }) => name === 'user guide') : samples();
    if (!set) throw new Error('set_missing: the user guide → put shared/corpus beside the repository, or name it by MARGINALIA_CORPUS');
    const notes = peer ? set.notes : set.notes.filter(({ title }) => set.questions.slice(0, 10).some(({ note }) => title.endsWith(note)));
    const placed = await place(kernel, { ...set, notes });
    const { notebooks } = await kernel.api<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
    const notebook = notebooks.find(({ name }) => name === `Marginalia ${set.name}`)?.id ?? '';
    measured.policy.setRight(notebook, 'delete');
    const asked = set.questions.slice(0, 10).map(({ question, note }) => ({ question, id: idOf(placed, note) }));
    const targets = new Map<string, Target>();
    for (const { id } of asked) {
      const target = await targetOf(measured, id);
      if (target) targets.set(id, target);
    }
    const tasks = tasksOf(asked, notebook, [...targets.values()]);
    const theirTools = peer && (await openSiYuanTools(peer.url, peer.token));
    let [ours, theirs] = [0, 0];
    for (const { question, ours: steps, theirs: calls } of tasks) {
      ours += await playOurs(measured, { question, ours: steps, theirs: calls });
      if (theirTools) theirs += sum(await requestsOf(theirTools, question, calls));
    }
    const row = {
      set: set.name,
      version: `${placed.notes.length} notes`,
      measured: 'tokens of all requests of ten tasks',
      cases: tasks.length,
      failed: [],
    };
    if (!theirs) return { ...row, ours: String(ours), holds: true };
    const ratio = ours / theirs;
    return {
      ...row,
      ...{ ours: `${ours}, ${ratio.toFixed(2)} of it`, wanted: '≤ 0.6 of SiYuan’s own tools', holds: ratio <= WANTED },
      peer: {
        name: 'SiYuan’s own tools',
        figure: String(theirs),
        how: 'definitions and answers of its kernel at /mcp, over the same notes, no system prompt',
      },
    };
  } finally {
    measured.close();
  }
}

export const part: EvalPart = {
  name: 'tokens',
  title: 'Tokens of ten tasks, with our tools and with SiYuan’s own',
  async run({ full }) {
    const { SIYUAN_URL: url, SIYUAN_TOKEN: token } = process.env;
    if (full && (url === undefined || token === undefined))
      throw new Error('set_missing: a real SiYuan → set SIYUAN_URL and SIYUAN_TOKEN to one whose notes may be written to');
    const kernel = await openKernel();
    try {
      return [await measure(kernel, full && url !== undefined && token !== undefined ? { url, token } : undefined)];
    } finally {
      await kernel.close();
    }
  },
};
