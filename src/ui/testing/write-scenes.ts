import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { answer, type FakeController, userMessage } from './fake-controller.ts';

const BLOCK = '20260412093011-abc1234';
const asked = userMessage('Tidy up the Apollo notes.');

let made = 0;
export function operation(patch: Partial<PlanOperation>): PlanOperation {
  made += 1;
  return { id: `w-${made}`, action: 'update', blockId: BLOCK, blockType: 'p', before: null, after: null, requires: [], ...patch };
}

const apollo = { id: '20260412093000-apollo0', title: 'Apollo', path: '/Apollo' };
const minutes = { id: '20260412093000-minutes', title: 'Minutes of the kickoff', path: '/Apollo/Minutes of the kickoff' };

export function plan(operations: readonly PlanOperation[], patch: Partial<ChangePlan> = {}): ChangePlan {
  made += 1;
  return {
    id: `plan-w${made}`,
    tool: 'edit_block',
    notebook: { id: 'nb-projects', name: 'Projects' },
    document: apollo,
    operations,
    anchorId: null,
    undo: { kind: 'exact' },
    notices: [],
    ...patch,
  };
}

export function request(id: string, tool: string, change: ChangePlan, patch: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return { approvalId: id, callId: `call-${id}`, kind: 'execution', tool, args: {}, plan: { ...change, tool }, ...patch };
}

const renamed = request(
  'rename',
  'organize_doc',
  plan([
    operation({
      action: 'rename-document',
      blockType: 'd',
      path: { before: ['Work', 'Apollo'], after: ['Work', 'Artemis'] },
      document: apollo,
    }),
  ]),
);
const moved = request(
  'move',
  'organize_doc',
  plan(
    [
      operation({
        action: 'move-document',
        blockType: 'd',
        path: { before: ['Projects', 'Work', 'Apollo'], after: ['Projects', 'Archive', '2026', 'Apollo'] },
        document: apollo,
      }),
    ],
    { document: apollo },
  ),
);
const deleted = request(
  'delete',
  'delete_doc',
  plan(
    [operation({ action: 'delete-document', blockType: 'd', path: { before: ['Apollo', minutes.title], after: null }, document: minutes })],
    {
      document: minutes,
      needsRight: 'delete',
      undo: {
        kind: 'partial',
        notes: ['history', 'rows'],
      },
      notices: [
        { code: 'children-deleted', count: 2 },
        { code: 'references-lost', count: 3 },
        { code: 'rows-lost', count: 1 },
      ],
    },
  ),
);
const removedBlocks = request(
  'blocks',
  'delete_blocks',
  plan(
    [
      operation({ action: 'delete', blockType: 'h', before: '## Old questions' }),
      operation({ action: 'delete', blockType: 'l', before: '- Who moderates?\n- Is the demo ready?' }),
    ],
    {
      needsRight: 'delete',
      notices: [
        { code: 'references-lost', count: 1 },
        { code: 'hidden-kept', count: 1 },
      ],
    },
  ),
);
const movedBlocks = request(
  'blocks-move',
  'move_blocks',
  plan([
    ...['The kickoff is on Monday.', '- Anna brings the budget\n- Ben books the room\n- Cem writes\n- Dora moderates'].map((text, index) =>
      operation({
        action: 'move',
        blockType: index === 0 ? 'p' : 'l',
        before: text,
        after: text,
        position: {
          before: { path: ['Apollo', 'Plan'] },
          after: { path: ['Apollo'], at: 'end', block: { type: 'h', words: 'Done' } },
        },
      }),
    ),
  ]),
);
const attributes = request(
  'attributes',
  'attributes',
  plan([
    operation({
      action: 'set-attributes',
      blockType: 'd',
      attributes: [
        { name: 'custom-status', before: 'open', after: 'done' },
        { name: 'memo', before: 'ask Anna', after: null },
        { name: 'custom-owner', before: null, after: 'Ben' },
      ],
      document: apollo,
    }),
    operation({ action: 'set-attributes', attributes: [{ name: 'custom-status', before: null, after: 'done' }], document: minutes }),
    operation({ action: 'update', before: 'See #work/old# here', after: 'See #work/new# here', document: minutes }),
  ]),
);

const forged = request(
  'forged',
  'attributes',
  plan([
    operation({
      action: 'set-attributes',
      after: 'memo = A\ncustom-z = ok\nmemo = B',
      attributes: [
        { name: 'memo', before: null, after: 'A' },
        { name: 'custom-z', before: null, after: 'ok\nmemo = B' },
      ],
    }),
    operation({
      action: 'move-document',
      path: { before: ['Projects', 'Apollo'], after: ['Projects', 'Work › Archive', 'Apollo'] },
    }),
  ]),
);

const looks = request(
  'looks',
  'edit_block',
  plan([
    operation({
      id: 'text',
      before: 'The kickoff is on Monday.',
      after: 'The kickoff is on **Tuesday**, see ((20260412093000-heat000 "Urban heat")).',
    }),
    operation({
      id: 'table',
      blockType: 't',
      before: '| Way | Price |\n| --- | ---: |\n| Train | 360 € |\n| Bus | 104 € |\n| Boat | 90 € |\n| Plane | 212 € |',
      after: '| Way | Price |\n| --- | ---: |\n| Train | 360 € |\n| Bus | 104 € |\n| Boat | 90 € |\n| Plane | 198 € |',
    }),
    operation({
      id: 'list',
      blockType: 'l',
      before: '1. [ ] passports\n2. [ ] bags',
      after: '1. [x] passports\n2. [ ] bags\n3. [ ] tickets',
    }),
    operation({ id: 'code', blockType: 'c', before: '```js\nconst a = 1;\n```', after: '```js\nconst a = 2;\n```' }),
    operation({ id: 'unseen', blockType: 'l', before: '- one', after: '* one' }),
    operation({ id: 'hidden', action: 'insert', after: 'Hello\n\n[//]: # (secret text)' }),
    operation({ id: 'address', before: '[pay](https://bank.example)', after: '[pay](https://evil.example)' }),
    operation({ id: 'heading', action: 'insert', blockType: 'h', after: '## Packing for $n = 2$' }),
    // A formula in the block that will be stored, though its Markdown reads like money; and what no drawing may hold.
    operation({
      id: 'drawn',
      action: 'insert',
      after: 'It costs $5 and $10',
      drawn: {
        before: null,
        after:
          '<p onclick="x()">It costs <span class="mg-math" onclick="x()">5 and </span><iframe src="https://evil.example"></iframe>10</p>',
      },
    }),
  ]),
);

const link = (address: string): string => `<p><a href="${address}" title="${address}">pay</a> today</p>`;
const column = '<div class="mg-layout-col"><p>left</p><p>right</p></div>';
const reference = (words: string): string =>
  `<a data-block-id="20260412093000-heat000" href="siyuan://blocks/20260412093000-heat000">${words}</a>`;
/** As the host draws blocks; the Markdown says little, so that what is shown was not made of it. */
const drawnBlocks = request(
  'drawn',
  'rewrite_doc',
  plan([
    operation({
      id: 'address',
      before: 'x',
      after: 'y',
      drawn: { before: link('https://bank.example'), after: link('https://evil.example') },
    }),
    operation({ id: 'new-address', action: 'insert', after: 'y', drawn: { before: null, after: link('file:///etc/x') } }),
    operation({ id: 'layout', blockType: 's', before: 'x', after: 'y', drawn: { before: column, after: column.replace('-col', '-row') } }),
    operation({
      id: 'language',
      blockType: 'c',
      before: 'x',
      after: 'y',
      drawn: { before: '<pre title="js">a\n</pre>', after: '<pre title="ts">a\n</pre>' },
    }),
    operation({ id: 'spaces', before: 'x', after: 'y', drawn: { before: '<p>one  two</p>', after: '<p>one two</p>' } }),
    operation({
      id: 'hidden',
      action: 'insert',
      after: 'y',
      drawn: { before: null, after: '<p>\u00a0a <span class="mg-math">x\u202e</span></p>' },
    }),
    operation({
      id: 'items',
      action: 'delete',
      blockType: 'l',
      before: 'x',
      drawn: { before: '<ol start="3"><li><p>a</p><blockquote><p>q</p></blockquote><p>b</p></li><li><p></p></li></ol>', after: null },
    }),
    operation({
      id: 'row',
      blockType: 't',
      before: 'x',
      after: 'y',
      drawn: {
        before: '<table><thead><tr><th>a</th></tr></thead><tbody></tbody></table>',
        after: '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td></td></tr></tbody></table>',
      },
    }),
    operation({
      id: 'reference',
      action: 'insert',
      after: 'y',
      drawn: { before: null, after: `<p>${reference('20260412093000-heat000')} ${reference('words')}</p>` },
    }),
    operation({
      id: 'moved',
      action: 'move',
      blockType: 'l',
      before: 'x',
      after: 'x',
      drawn: {
        before: '<ul><li><p>costs $5 and $10</p></li><li><p><mark>b</mark></p></li><li><p>c</p></li><li><p>d</p></li></ul>',
        after: '<ul><li><p>costs $5 and $10</p></li><li><p><mark>b</mark></p></li><li><p>c</p></li><li><p>d</p></li></ul>',
      },
      position: { before: { path: ['Apollo'] }, after: { path: ['Apollo'], at: 'end' } },
    }),
  ]),
);

const long = request(
  'long',
  'insert_blocks',
  plan(
    Array.from({ length: 12 }, (_, index) =>
      operation({ action: 'insert', after: `Paragraph ${index}. ${'Words that take their time. '.repeat(12)}` }),
    ),
  ),
);

const unseen = request(
  'unseen',
  'edit_block',
  plan(
    [
      operation({ id: 'no-break', before: 'It costs 10 €.', after: 'It costs 10\u00a0€.' }),
      operation({ id: 'hidden', action: 'insert', after: 'Fine\u200b words\u{e0068}\u{e0069}, **bo\u202eld**' }),
      operation({ id: 'persian', action: 'insert', after: 'من می‌خواهم **کتاب‌ها** را ❤️ 1️⃣' }),
      operation({ id: 'joined', action: 'insert', after: '❤️ 👩🏽‍💻 می‌خواهم　从前　有山' }),
      operation({ id: 'room', before: 'one  two', after: 'one two' }),
      operation({ id: 'zero', before: 'pay Anna', after: 'pay\u200b Anna' }),
      operation({
        id: 'target',
        before: 'See ((20260412093000-heat000 "the budget")).',
        after: 'See ((20260412093000-roofs00 "the budget")).',
      }),
      operation({ id: 'level', blockType: 'h', before: '### Plan', after: '#### Plan' }),
      operation({ id: 'empty', action: 'delete', before: '' }),
      operation({
        id: 'placed',
        action: 'insert',
        after: 'Last.',
        position: { after: { path: ['Apollo'], at: 'after', block: { type: 'p', words: 'We meet › soon' } } },
      }),
      operation({ id: 'named', action: 'set-attributes', attributes: [{ name: 'memo', before: 'ok', after: 'o\u00adk' }] }),
    ],
    { document: { ...apollo, title: 'Apo\u200bllo' } },
  ),
);

const LONG_TASK = `Read all notes about roofs.\n${'Compare what they say about heat, one after another. '.repeat(20)}\nThen delete the old ones.`;
const task: ApprovalRequest = {
  approvalId: 'task',
  callId: 'call-task',
  kind: 'execution',
  tool: 'spawn',
  args: { label: 'Roofs', task: LONG_TASK, tools: ['delete_doc'] },
};
const command: ApprovalRequest = {
  approvalId: 'long-command',
  callId: 'call-long-command',
  kind: 'execution',
  tool: 'exec',
  args: { command: 'x' },
  program: {
    language: 'shell',
    code: `${Array.from({ length: 60 }, (_, index) => `echo line ${index}`).join('\n')}\nrm -rf notes`,
    folder: '/home/anna/notes',
    timeoutSeconds: 60,
  },
};

const rewritten = request(
  'rewrite',
  'rewrite_doc',
  plan(
    Array.from({ length: 16 }, (_, index) =>
      index % 5 === 0
        ? operation({ action: 'insert', blockType: 'h', after: `## Part ${index / 5 + 1}` })
        : operation({
            action: index % 5 === 4 ? 'delete' : 'update',
            before: `Paragraph ${index} as it was, with words that say a lot and take their time.`,
            after: index % 5 === 4 ? null : `Paragraph ${index}, shorter now.\nAnd in two lines.`,
          }),
    ),
  ),
);

const outgoing: ApprovalRequest = {
  approvalId: 'send',
  callId: 'call-send',
  kind: 'execution',
  tool: 'ask_colleague',
  args: { query: 'x' },
  scope: 'api.search.example',
  outgoing: {
    destination: 'https://api.search.example/v1/search?lang=en&source=marginalia&token=none',
    body: `{\n  "query": "kickoff of Apollo\u200b on Monday at nine",\n  "context": "${'The kickoff is on Monday at nine. '.repeat(12)}"\n}`,
  },
};

const search: ApprovalRequest = {
  approvalId: 'search',
  callId: 'call-search',
  kind: 'execution',
  tool: 'web_search',
  args: { query: 'high water in Emden, 24 November' },
  scope: 'api.search.brave.com',
  lasting: true,
  outgoing: { destination: 'https://api.search.brave.com/res/v1/web/search?q=high+water+in+Emden%2C+24+November&count=5', body: '' },
};

const fetchPage: ApprovalRequest = {
  approvalId: 'fetch',
  callId: 'call-fetch',
  kind: 'execution',
  tool: 'web_fetch',
  args: { url: 'https://tides.example.org/emden/2026-11-24?unit=m' },
  scope: 'tides.example.org',
  lasting: true,
  outgoing: { destination: 'https://tides.example.org/emden/2026-11-24?unit=m', body: '' },
};

export const waitFor =
  (...approvals: readonly ApprovalRequest[]) =>
  (controller: FakeController): void =>
    controller.set({ title: 'Apollo', messages: [asked, answer([], { status: 'streaming' })], running: true, approvals });

/** Changes beyond blocks of one note, several at once, and what Undo left alone. */
export const writeScenes: Readonly<Record<string, (controller: FakeController) => void>> = {
  batch: waitFor(removedBlocks, renamed, moved, deleted),
  structure: waitFor(moved),
  'delete-note': waitFor(deleted),
  'delete-blocks': waitFor(removedBlocks),
  'move-blocks': waitFor(movedBlocks),
  attributes: waitFor(attributes),
  forged: waitFor(forged),
  drawn: waitFor(drawnBlocks),
  'long-batch': waitFor(long, renamed),
  'outlined-batch': waitFor(rewritten, renamed),
  unseen: waitFor(unseen),
  task: waitFor(task),
  'long-command': waitFor(command),
  rewrite: waitFor(rewritten),
  looks: waitFor(looks),
  outgoing: waitFor(outgoing),
  'web-search': waitFor(search),
  'web-fetch': waitFor(fetchPage),
  'conflict-words': (controller) =>
    controller.set({
      title: 'Apollo',
      messages: [
        asked,
        answer([{ kind: 'text', text: 'The memo is set.' }], {
          undo: { blocks: 1, kind: 'exact', undone: true },
          undoReport: {
            restored: [],
            conflicts: [
              { blockId: BLOCK, reasons: [{ code: 'changed' }], now: 'memo = **mine**', before: 'memo = *theirs*', isWords: true },
            ],
          },
        }),
      ],
    }),
  conflicts: (controller) =>
    controller.set({
      title: 'Apollo',
      messages: [
        asked,
        answer([{ kind: 'text', text: 'Done: three blocks are shorter now.' }], {
          undo: { blocks: 4, kind: 'exact', undone: true },
          undoReport: {
            restored: [BLOCK],
            conflicts: [
              {
                blockId: '20260412093011-conf001',
                reasons: [{ code: 'changed' }],
                now: 'The kickoff is on Tuesday at ten, in **room 7**.',
                before: 'The kickoff is on Monday at nine.',
              },
              {
                blockId: '20260412093011-conf002',
                reasons: [{ code: 'removed' }],
                now: null,
                before: '- Who moderates?\n- Is the demo ready?',
              },
              { blockId: '', reasons: [{ code: 'document-unknown', title: '/Apollo' }] },
            ],
          },
        }),
      ],
    }),
};
