import type { AnswerSegment, ToolCallView } from '../../chat/view/view.ts';
import { answer, type FakeController, userMessage } from './fake-controller.ts';

const BLOCK = '20260412093011-abc1234';
const TASK =
  'Read all notes about the street trials of 2023 and 2024 and list what they say of the cost of street trees, with the year and a citation for each number. Say which numbers contradict each other.';

function inner(tool: string, args: ToolCallView['args'], extra: Partial<ToolCallView> = {}): AnswerSegment {
  const callId = `sp-${tool}-${JSON.stringify(args).length}`;
  return { kind: 'call', call: { callId, tool, args, status: 'success', durationMs: 400, started: Date.now() - 9000, ...extra } };
}

const found = inner(
  'search_notes',
  { query: 'street trees cost' },
  {
    preview: '1. /Urban heat: Street trees cost…',
    text: '1. /Urban heat: Street trees cost 400 € each…\n2. /Trial 2024: planted for 380 €…',
  },
);
const read = [
  inner('read_doc', { path: '/Urban heat' }, { preview: '# Urban heat', text: '# Urban heat\nStreet trees cost 400 € each.' }),
  inner('read_doc', { path: '/Trial 2024' }, { preview: '# Trial 2024', text: '# Trial 2024\nPlanted for 380 € each.' }),
];

function agent(label: string, extra: Partial<ToolCallView> = {}): AnswerSegment {
  const call = {
    callId: `sp-${label}`,
    tool: 'spawn',
    args: { label, task: TASK },
    status: 'running',
    started: Date.now() - 21_000,
    ...extra,
  } as const;
  return { kind: 'call', call };
}

const working = (segments: readonly AnswerSegment[]): Partial<ToolCallView> => ({
  subAgent: { segments, citations: [], status: 'running' },
});
const done: Partial<ToolCallView> = {
  status: 'success',
  durationMs: 34_000,
  subAgent: {
    segments: [
      { kind: 'text', text: 'I look for the cost of trees first.' },
      found,
      ...read,
      {
        kind: 'text',
        text: `Two notes name a cost:\n\n- **2023**: 400 € for each tree ((${BLOCK} "Street trees cost 400 € each"))\n- **2024**: 380 €, planted in one go\n\nThey do not contradict each other: the second is a later offer.`,
      },
    ],
    citations: [BLOCK],
    status: 'completed',
    usage: { prompt_tokens: 11_800, completion_tokens: 640, total_tokens: 12_440 },
  },
};
const asked = userMessage('What would it cost to plant the whole quarter, and what did other towns do?');

/** Sub-agents at work and when they are done. */
export const agentScenes = {
  agents: (controller: FakeController): void =>
    controller.set({
      title: 'Planting the quarter',
      messages: [
        asked,
        answer(
          [
            { kind: 'text', text: 'I let the three questions be looked up side by side.' },
            agent(
              'Cost of street trees in both trials',
              working([found, ...read, inner('search_notes', { query: 'offers' }, { status: 'running' })]),
            ),
            agent('What other towns did about heat', working([found, { kind: 'text', text: 'Three towns' }])),
            agent('Species that bear drought', working([])),
            agent('Laws on planting beside pipes'),
          ],
          { status: 'streaming' },
        ),
      ],
      running: true,
    }),
  agentsDone: (controller: FakeController): void =>
    controller.set({
      title: 'Planting the quarter',
      messages: [
        asked,
        answer(
          [
            agent('Cost of street trees in both trials', done),
            agent('What other towns did about heat', {
              status: 'success',
              durationMs: 8000,
              subAgent: { segments: [found, { kind: 'text', text: 'Three towns' }], citations: [], status: 'aborted' },
            }),
            agent('Species that bear drought', {
              status: 'error',
              durationMs: 1200,
              error: { code: 'model_rate_limited', message: 'the provider is busy', next: 'wait' },
              subAgent: {
                segments: [],
                citations: [],
                status: 'error',
                error: { code: 'model_rate_limited', message: 'the provider is busy', next: 'wait' },
              },
            }),
            { kind: 'text', text: `About 400 € a tree ((${BLOCK} "Street trees cost 400 € each")).` },
          ],
          { citations: [BLOCK] },
        ),
      ],
    }),
};
