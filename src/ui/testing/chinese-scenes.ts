import { answer, type FakeController, userMessage } from './fake-controller.ts';

const BLOCK = '20260412093011-zhw1234';
const notebooks = [
  { id: 'nb-research', name: '研究笔记', open: true, right: 'read' },
  { id: 'nb-projects', name: '项目', open: true, right: 'write' },
] as const;

const question = userMessage('我的笔记里怎么说间隔重复？帮我写进今天的日记。', {
  contexts: [{ contextId: 'c', kind: 'block', id: BLOCK, title: '间隔重复的要点', text: '间隔重复比集中复习更有效。' }],
});
const search = {
  kind: 'call',
  call: { callId: 'zh1', tool: 'search_notes', args: { query: '间隔重复' }, status: 'success', durationMs: 310, started: 0 },
} as const;

export const chineseScenes = {
  'zh-finished': (controller: FakeController): void =>
    controller.set({
      title: '间隔重复与日记',
      notebooks,
      messages: [
        question,
        answer(
          [
            search,
            {
              kind: 'text',
              text: `你的笔记提到，**间隔重复**比集中复习更有效((${BLOCK} "效果量约为 0.6"))，要点有三个：\n\n1. 间隔要随记忆强度拉长\n2. 先回忆，再看答案\n3. 每天的新卡片不宜超过二十张`,
            },
          ],
          {
            citations: [BLOCK],
            usage: { prompt_tokens: 900, completion_tokens: 120, total_tokens: 1020 },
            time: { firstToken: 400, total: 2300 },
            undo: { blocks: 2, kind: 'exact', undone: false },
          },
        ),
      ],
    }),
  'zh-approval': (controller: FakeController): void =>
    controller.set({
      title: '间隔重复与日记',
      notebooks,
      running: true,
      messages: [question, answer([search], { status: 'streaming' })],
      approvals: [
        {
          approvalId: 'zh-a',
          callId: 'zh2',
          kind: 'execution',
          tool: 'edit_block',
          args: {},
          scope: 'nb-projects',
          plan: {
            id: 'zh-plan',
            tool: 'edit_block',
            notebook: { id: 'nb-projects', name: '项目' },
            document: { id: BLOCK, title: '学习计划', path: '/学习计划' },
            anchorId: BLOCK,
            operations: [
              {
                id: 'zh-1',
                action: 'update',
                blockId: BLOCK,
                blockType: 'p',
                before: '每周一上午复习卡片，大约半小时。',
                after: '每天早上复习卡片，大约二十分钟。',
                requires: [],
              },
              {
                id: 'zh-2',
                action: 'insert',
                blockId: '20260412093011-zhx1234',
                blockType: 'l',
                before: null,
                after: '- 新卡片不超过二十张\n- 周日不复习',
                requires: [],
              },
            ],
            undo: { kind: 'exact' },
            notices: [{ code: 'remote-image-linked', count: 2 }],
          },
        },
      ],
    }),
};
