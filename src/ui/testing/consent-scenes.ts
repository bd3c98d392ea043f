import type { AnswerSegment, ToolCallView } from '../../chat/view/view.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { answer, type FakeController, userMessage } from './fake-controller.ts';
import type { FakeHost, FakeSettings } from './fake-host.ts';
import { waitFor } from './write-scenes.ts';

type Scene = (controller: FakeController, host: FakeHost, settings: FakeSettings) => void;

const asked = userMessage('Put the minutes of today where they belong.');

function askUser(callId: string, patch: Partial<ToolCallView> = {}): ToolCallView {
  const args = { question: 'Which notebook do the minutes belong to?', options: ['Projects', 'Diary', 'Research, below “Meetings 2026”'] };
  return { callId, tool: 'ask_user', args, status: 'running', started: Date.now() - 9000, ...patch };
}

const question = {
  callId: 'q1',
  question: 'Which notebook do the minutes belong to?',
  options: ['Projects', 'Diary', 'Research, below “Meetings 2026”'],
};

const started = (callId: string, tool: string, args: ToolCallView['args'], patch: Partial<ToolCallView> = {}): AnswerSegment => ({
  kind: 'call',
  call: { callId, tool, args, status: 'waiting', started: Date.now(), ...patch },
});
const byHand = [
  { callId: 'h1', tool: 'search_notes', args: { query: 'minutes of meetings in 2026' } },
  { callId: 'h2', tool: 'read_doc', args: { path: '/Projects/Apollo/Kickoff' } },
  { callId: 'h3', tool: 'create_doc', args: { path: '/Projects/Minutes', markdown: '# Minutes\n\nAnna and Li met.' } },
];
const handAsked = byHand.map((call): ApprovalRequest => ({ approvalId: `a-${call.callId}`, kind: 'execution', manual: true, ...call }));
const draft =
  'Anna and Li met on Monday.\n\n- The launch moves to May.\n- Li asks the printers for a new offer.\n- Anna writes to all who were inv';

const SHOP = { server: 'shop', destination: 'https://shop.example/mcp' };
const field = { description: '', required: false, choices: [] };
const serverAsks = (form: NonNullable<ApprovalRequest['form']>): ApprovalRequest => {
  return { approvalId: 'form-1', callId: 'call-form', kind: 'form', tool: 'mcp_shop_order', args: { item: 'lamp' }, form };
};
const sizes = ['Small', 'Medium', 'Large'].map((label) => ({ label, value: label[0] ?? '' }));

/** Questions, and what the user allowed. */
export const consentScenes: Readonly<Record<string, Scene>> = {
  'server-form': waitFor(
    serverAsks({
      ...SHOP,
      message: 'Where shall we send your lamp, and which one do you want?',
      fields: [
        { ...field, name: 'name', title: 'Name', kind: 'text', required: true, least: 2 },
        { ...field, name: 'mail', title: 'E-mail address', description: 'The receipt goes there.', kind: 'text', format: 'email' },
        { ...field, name: 'day', title: 'Day of delivery', kind: 'text', format: 'date', initial: '2026-12-01' },
        { ...field, name: 'at', title: 'Time of delivery', kind: 'text', format: 'date-time' },
        { ...field, name: 'count', title: 'How many', kind: 'integer', required: true, least: 1, most: 9, initial: 1 },
        { ...field, name: 'size', title: 'Size', kind: 'one', choices: sizes, initial: 'M' },
        {
          ...field,
          name: 'extras',
          title: 'Extras',
          kind: 'many',
          choices: [
            { value: 'b', label: 'A bulb' },
            { value: 's', label: 'A spare shade' },
          ],
        },
        { ...field, name: 'news', title: 'Tell me about other lamps', kind: 'boolean', initial: false },
      ],
    }),
  ),
  'server-page': waitFor(
    serverAsks({ ...SHOP, message: 'Please pay for your lamp.', fields: [], address: 'https://pay.example/orders/17?from=lamp' }),
  ),
  byHand: (controller) =>
    controller.set({
      title: 'Minutes',
      messages: [
        asked,
        answer(
          byHand.map(({ callId, tool, args }) => started(callId, tool, args)),
          { status: 'streaming' },
        ),
      ],
      running: true,
      approvals: handAsked,
    }),
  byHandOne: (controller) =>
    controller.set({
      title: 'Minutes',
      messages: [asked, answer([started('h1', 'search_notes', { query: 'minutes of meetings in 2026' })], { status: 'streaming' })],
      running: true,
      approvals: handAsked.slice(0, 1),
    }),
  writing: (controller) =>
    controller.set({
      title: 'Minutes',
      messages: [
        asked,
        answer(
          [
            started('h2', 'read_doc', { path: '/Projects/Apollo/Kickoff' }, { status: 'success', durationMs: 320 }),
            { kind: 'text', text: 'I put the minutes into a note of their own.' },
            started('writing-0', 'create_doc', { path: '/Projects/Minutes' }, { status: 'writing', cardId: 'card-2-0', draft }),
            started('writing-1', 'ask_user', {}, { status: 'writing', cardId: 'card-3-1' }),
          ],
          { status: 'streaming' },
        ),
      ],
      running: true,
    }),
  question: (controller) =>
    controller.set({
      title: 'Minutes',
      messages: [asked, answer([{ kind: 'call', call: askUser('q1') }], { status: 'streaming' })],
      running: true,
      questions: [question],
    }),
  questions: (controller) =>
    controller.set({
      title: 'Minutes',
      messages: [asked, answer([{ kind: 'call', call: askUser('q1') }], { status: 'streaming' })],
      running: true,
      questions: [question, { callId: 'q2', question: 'How shall the note be called?', options: [] }],
    }),
  answered: (controller) =>
    controller.set({
      title: 'Minutes',
      messages: [
        asked,
        answer([
          { kind: 'call', call: askUser('q1', { status: 'success', preview: 'Projects', durationMs: 61_000 }) },
          {
            kind: 'call',
            call: askUser('q2', {
              args: { question: 'And the title?' },
              status: 'error',
              error: { code: 'no_answer', message: 'the user closed the question without an answer', next: 'go on without it' },
            }),
          },
          { kind: 'text', text: 'They are in Projects now.' },
        ]),
        userMessage('And what is the capital of France?'),
        answer([{ kind: 'text', text: 'Paris.' }]),
      ],
    }),
  consent: (controller, _host, settings) => {
    void settings.update({ localOnly: true });
    controller.set({
      title: 'Minutes',
      messages: [asked],
      allowances: [
        { tool: 'insert_blocks', scope: 'nb-projects', scopeName: 'Projects' },
        { tool: 'get_forecast', scope: '', scopeName: '' },
      ],
    });
  },
  unwritten: (controller) => {
    const call = (callId: string, tool: string, patch: Partial<ToolCallView>): { kind: 'call'; call: ToolCallView } => ({
      kind: 'call',
      call: { callId, tool, args: {}, status: 'success', durationMs: 900, started: 0, ...patch },
    });
    const wrote = { documentId: '20260412093000-apollo0', title: 'Apollo', blockIds: ['20260412093000-apollo1'] };
    const proposed = {
      document: { id: 'd', title: 'Apollo', path: '/Apollo' },
      operations: [
        {
          id: 'o',
          action: 'update',
          blockId: 'b',
          blockType: 'p',
          before: 'We meet on Monday.',
          after: 'We meet on Tuesday.',
          requires: [],
        },
      ],
    } as const;
    controller.set({
      title: 'Minutes',
      messages: [
        asked,
        answer([
          call('w1', 'edit_block', { wrote }),
          call('r1', 'read_doc', { args: { id: 'a' } }),
          call('w2', 'insert_blocks', {
            status: 'error',
            error: { code: 'kernel_unreachable', message: 'SiYuan cannot be reached', next: 'try again' },
          }),
          { kind: 'text', text: 'It is added.' },
        ]),
        userMessage('Then change the day.'),
        answer([call('w3', 'edit_block', { status: 'interrupted', proposed })], {
          status: 'interrupted',
          error: { code: 'interrupted', message: 'cut off', next: 'ask again' },
        }),
      ],
    });
  },
  unasked: (controller, _host, settings) => {
    void settings.setTool('edit_block', { policy: 'auto' });
    controller.set({ title: 'Minutes', messages: [asked], allowances: [{ tool: 'edit_block', scope: null, scopeName: '' }] });
  },
};
