// What is said in the pictures. The model's replies are scripted; the notes, the tools, the diffs and what is written are real.
import type { Script } from '../../tests/support/model-server.ts';

export interface Talk {
  readonly question: string;
  readonly replies: readonly Script[];
  /** Where the picture is taken: at the diff, or after it was approved and the answer is complete. */
  readonly until: 'approval' | 'approved' | 'answered';
}

const read = (id: string) => ({ name: 'read_doc', args: { id } });

const heatQuestion: Talk = {
  question: 'What do my notes say about keeping a street cool at night?',
  replies: [
    { calls: [{ name: 'search_notes', args: { query: 'night temperature street' } }] },
    { calls: [read('20260205200000-bowler1'), read('20260209200000-santamo')] },
    {
      text: [
        'Less than one would hope:',
        '',
        '- **Parks** are ((20260205200501-park094 "0.94 °C cooler by day")); few studies measured the night.',
        '- **Cool roofs** give ((20260209200502-expect3 "close to nothing at night")).',
        '- **Single street trees**: the evidence is thin.',
      ].join('\n'),
    },
  ],
  until: 'answered',
};

const heatSummary = (notebook: string): Talk => ({
  question: "Write that into today's note, in two lines",
  replies: [
    {
      calls: [
        {
          name: 'daily_note',
          args: {
            op: 'append',
            notebook,
            markdown:
              '## A cool street at night\n\n- Parks and cool roofs are proven by day only.\n- Street trees at night: hardly any evidence.',
          },
        },
      ],
    },
    { text: "It is in today's note." },
  ],
  until: 'approval',
});

/** Both in one question, for a picture with little room. */
const heatAtOnce = (notebook: string): Talk => ({
  question: "What do my notes say about keeping a street cool at night? Write it into today's note",
  replies: [...heatQuestion.replies.slice(0, 2), ...heatSummary(notebook).replies],
  until: 'approval',
});

const training = (notebook: string): Talk[] => [
  {
    question: '间隔重复用在新人培训上，效果怎么样？',
    replies: [
      { calls: [{ name: 'search_notes', args: { query: '间隔重复' } }] },
      { calls: [read('20260901090000-xinrenp'), read('20260830210000-renzhit')] },
      {
        text: [
          '效果很明显，见((20261106170501-shidian "试点结果"))：',
          '',
          '- 一个月后还能答对 **82 %**，去年集中培训只有 47 %。',
          '- 总学时反而更少：14 小时，去年是 18 小时。',
          '',
          '间隔((20260901090502-jiange1 "不用很精确"))，太长一点损失很小。',
        ].join('\n'),
      },
    ],
    until: 'answered',
  },
  {
    question: '把这两点写进今天的日记',
    replies: [
      {
        calls: [
          {
            name: 'daily_note',
            args: {
              op: 'append',
              notebook,
              markdown: '## 新人培训小结\n\n- 一个月后答对 82 %，去年 47 %。\n- 学时从 18 小时减到 14 小时。',
            },
          },
        ],
      },
      { text: '已写进今天的日记。' },
    ],
    until: 'approval',
  },
];

export const talks = { heatQuestion, heatSummary, heatAtOnce, training };
