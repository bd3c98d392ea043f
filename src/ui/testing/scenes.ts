import type { ToolCallView } from '../../chat/view/view.ts';
import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { agentScenes } from './agent-scenes.ts';
import { chatScenes } from './chat-scenes.ts';
import { chineseScenes } from './chinese-scenes.ts';
import { computerScenes } from './computer-scenes.ts';
import { consentScenes } from './consent-scenes.ts';
import { drawnScenes } from './drawn-scenes.ts';
import { activityChats } from './fake-activity.ts';
import { answer, type FakeController, userMessage } from './fake-controller.ts';
import type { FakeHost, FakeSettings } from './fake-host.ts';
import { giantChat } from './giant-chat.ts';
import { tableScenes } from './table-scenes.ts';
import { writeScenes } from './write-scenes.ts';

export type Scene = (controller: FakeController, host: FakeHost, settings: FakeSettings) => void;

const BLOCK = '20260412093011-abc1234';
const UNREAD = '20260412093011-zzz9999';

function call(tool: string, args: ToolCallView['args'], extra: Partial<ToolCallView> = {}): ToolCallView {
  const callId = extra.callId ?? `call_${tool}_${JSON.stringify(args).length}`;
  return { callId, tool, args, status: 'success', durationMs: 900, started: Date.now() - 4000, ...extra };
}

const searched = call(
  'search_notes',
  { query: 'heat islands' },
  { preview: '1. /Urban heat [20260412093011-abc1234] Street trees lower…', durationMs: 320 },
);
const read = call(
  'read_doc',
  { path: '/Urban heat', blocks: 50 },
  {
    preview: '# Urban heat\n@@20260412093011-abc1234@@p\nStreet trees lower the surface by 12 °C…',
    resultVariable: 'read_doc_c2_result',
    argsVariable: 'read_doc_c2_args',
    durationMs: 480,
  },
);
const failed = call(
  'read_doc',
  { id: '20260101000000-nothere' },
  { status: 'error', error: { code: 'not_found', message: 'no block has this id', next: 'search_notes for it' }, durationMs: 40 },
);
const running = call('search_notes', { query: 'street trees and shade in hot summers' }, { status: 'running', callId: 'c-run' });

const ANSWER = `Your notes name three causes of **urban heat**, most of all sealed ground ((${BLOCK} "Street trees lower the surface by 12 °C")):

- dark roofs and asphalt store the day's heat
- few trees: \`evapotranspiration\` is missing
  - the street trial of 2024 measured this
- waste heat of air conditioning ((${UNREAD} "a claim from nowhere"))

| Measure | Effect | Cost |
| :-- | --: | :-- |
| Street trees | −12 °C | low |
| Cool roofs | −7 °C | middle |

\`\`\`sql
SELECT * FROM blocks WHERE content LIKE '%heat%' LIMIT 20;
\`\`\`

> Bowler 2010: a park is about one degree cooler.

![map](https://tiles.example/heat.png) See [the paper](https://example.org/bowler).`;

function operation(id: string, patch: Partial<PlanOperation>): PlanOperation {
  return { id, action: 'insert', blockId: `20260412100000-${id}`, blockType: 'p', before: null, after: null, requires: [], ...patch };
}

const plan: ChangePlan = {
  id: 'plan-1',
  tool: 'edit_block',
  notebook: { id: 'nb-projects', name: 'Projects' },
  document: { id: '20260412093000-apollo0', title: 'Apollo', path: '/Apollo' },
  anchorId: BLOCK,
  operations: [
    operation('op-1', {
      action: 'update',
      before:
        'The kickoff is on Monday at nine.\nAnna brings the budget.\nBen books the room.\nWe meet in room 4.\nLunch is at twelve.\nNotes go into this page.',
      after:
        'The kickoff is on Tuesday at ten.\nAnna brings the budget.\nBen books the room.\nWe meet in room 4.\nLunch is at twelve.\nNotes go into this page.',
    }),
    operation('op-2', { blockType: 'h', after: '## Open questions' }),
    operation('op-3', { blockType: 'l', after: '- Who moderates?\n- Is the demo ready?', requires: ['op-2'] }),
  ],
  undo: { kind: 'exact' },
  notices: [{ code: 'remote-image-linked', count: 1 }],
};

export function approval(id: string, patch: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return { approvalId: id, callId: `call-${id}`, kind: 'execution', tool: 'edit_block', args: {}, plan, scope: 'nb-projects', ...patch };
}

const dailyPlan: ChangePlan = {
  ...plan,
  id: 'plan-2',
  notebook: { id: 'nb-diary', name: 'Diary' },
  document: { id: null, title: '2026-11-22', path: '/daily note/2026/11/2026-11-22' },
  operations: [
    operation('op-0', { action: 'create-document', blockType: 'd' }),
    operation('op-9', { after: 'Urban heat: sealed ground is the main cause; street trees help most.', requires: ['op-0'] }),
  ],
  undo: { kind: 'partial', notes: ['rows-and-cards'] },
  notices: [],
  needsRight: 'write',
};

const asked = userMessage('What do my notes say about urban heat? Write a summary into Apollo.', {
  contexts: [{ contextId: 'c', kind: 'document', id: '20260412093000-apollo0', title: 'Apollo', text: 'The kickoff is on Monday…' }],
});
const waitingCall = call('edit_block', { id: BLOCK }, { status: 'waiting', callId: 'call-a1' });
const waiting = (): ReturnType<typeof answer> =>
  answer(
    [
      { kind: 'call', call: searched },
      { kind: 'call', call: read },
      { kind: 'text', text: 'I found it. I would change the kickoff and add the open questions.' },
      { kind: 'call', call: waitingCall },
    ],
    {
      status: 'streaming',
      citations: [BLOCK],
    },
  );
const finished = answer(
  [
    { kind: 'call', call: searched },
    { kind: 'call', call: read },
    { kind: 'call', call: failed },
    { kind: 'text', text: ANSWER },
  ],
  {
    citations: [BLOCK],
    usage: { prompt_tokens: 3100, completion_tokens: 410, total_tokens: 3510 },
    time: { firstToken: 600, total: 4200 },
    undo: { blocks: 3, kind: 'exact', undone: false },
  },
);

const SCENES: Readonly<Record<string, Scene>> = {
  empty: () => undefined,
  'first-run': (controller, _host, settings) => {
    settings.models.chosen = { kind: 'missing', label: '' };
    controller.set({ model: settings.models.chosen, notebooks: [] });
  },
  demo: (controller) => controller.set({ model: { kind: 'offline-demo', label: 'offline-demo' } }),
  finished: (controller) => {
    controller.variables = { read_doc_c2_result: 'The whole note, as long as it is.' };
    controller.set({ title: 'Urban heat and the kickoff of Apollo', messages: [asked, finished] });
  },
  streaming: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [
        asked,
        answer(
          [
            { kind: 'call', call: searched },
            { kind: 'text', text: ANSWER.slice(0, 330) },
          ],
          { status: 'streaming' },
        ),
      ],
      running: true,
    }),
  running: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [
        asked,
        answer(
          [
            { kind: 'reasoning', text: 'They want the causes first.' },
            { kind: 'call', call: read },
            { kind: 'call', call: running },
          ],
          { status: 'streaming' },
        ),
      ],
      running: true,
      queued: 'And what about winter? Please compare the two seasons as well.',
    }),
  approval: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [asked, waiting()],
      running: true,
      approvals: [approval('a1')],
      allowances: [{ tool: 'insert_blocks', scope: 'nb-projects', scopeName: 'Projects' }],
    }),
  approvals: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [asked, waiting()],
      running: true,
      approvals: [
        approval('a1', { plan: { ...plan, operations: plan.operations.slice(1, 2) } }),
        approval('a2', { plan: dailyPlan, tool: 'daily_note', scope: 'nb-diary' }),
      ],
    }),
  result: (controller) =>
    controller.set({
      messages: [asked, waiting()],
      running: true,
      approvals: [
        approval('a1').plan
          ? { approvalId: 'a3', callId: 'c', kind: 'result', tool: 'read_doc', args: {}, resultText: 'A private paragraph.' }
          : approval('a1'),
      ],
    }),
  error: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [
        asked,
        answer([{ kind: 'call', call: searched }], {
          status: 'error',
          error: { code: 'model_unauthorized', message: 'the key was refused (401)', next: 'check the key' },
        }),
      ],
      notice: {
        code: 'storage_failed',
        message: 'the chat could not be saved',
        next: 'free some disk space; it is tried again with the next message',
      },
    }),
  stopped: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [asked, answer([{ kind: 'text', text: 'Your notes name three' }], { status: 'stopped' })],
    }),
  interrupted: (controller) =>
    controller.set({
      title: 'Urban heat',
      messages: [
        asked,
        answer(
          [
            { kind: 'call', call: call('insert_blocks', { markdown: 'A line' }, { status: 'interrupted' }) },
            { kind: 'text', text: 'I wrote the first' },
          ],
          { status: 'interrupted', undo: { blocks: 1, kind: 'partial', undone: false } },
        ),
      ],
    }),
  long: (controller) =>
    controller.set({
      title: 'A long chat',
      messages: Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0
          ? userMessage(`Question ${index / 2 + 1}`)
          : answer([{ kind: 'text', text: `${ANSWER}\n\nThis was answer ${(index + 1) / 2}.` }], { citations: [BLOCK] }),
      ),
    }),
  giant: (controller) => controller.set({ title: 'A giant chat', messages: giantChat(5000) }),
  chats: (controller) => {
    controller.library.summaries = [
      { id: 'session-1', title: 'Urban heat', updated: Date.now() - 6e5, pinned: false, messages: 4 },
      {
        id: 'session-2',
        title: 'Thesis outline and what is missing in the second chapter',
        updated: Date.now() - 9e7,
        pinned: false,
        messages: 12,
        boundDocument: BLOCK,
      },
      { id: 'session-3', title: '', updated: Date.now() - 4e10, pinned: false, messages: 1 },
    ];
    controller.set({ title: 'Urban heat', messages: [asked] });
  },
  activity: activityChats,
  ...agentScenes,
  ...consentScenes,
  ...chatScenes,
  ...computerScenes,
  ...writeScenes,
  ...tableScenes,
  ...drawnScenes,
  ...chineseScenes,
};

export function sceneOf(name: string): Scene {
  const scene = SCENES[name];
  if (!scene) throw new Error(`no scene is named ${name}; there are ${Object.keys(SCENES).join(', ')}`);
  return scene;
}
