// What is said in the pictures. The model's replies are scripted; the notes, the tools, the diffs and what is written are real.
import type { ModelRequest, Script } from '../../tests/support/model-server.ts';

export interface Talk {
  readonly question: string;
  readonly replies: readonly Script[];
  /** Where the picture is taken: at the diff, or after it was approved and the answer is complete. */
  readonly until: 'approval' | 'approved' | 'answered';
}

const toolTexts = (request: ModelRequest): string =>
  request.messages.map((message) => (message.role === 'tool' ? (message.content ?? '') : '')).join('\n');

const read = (id: string) => ({ name: 'read_doc', args: { id } });

/** Changes words of a block; the hash that shows it was read comes from what the model was given. */
const edit =
  (id: string, edits: readonly { old: string; new: string }[]): Script =>
  (request) => ({
    calls: [
      {
        name: 'edit_block',
        args: { id, expectHash: new RegExp(`@@${id}@@\\w+#(\\w+)`).exec(toolTexts(request))?.[1], edits },
      },
    ],
  });

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

const lisbon: Talk = {
  question: 'Jonas has to be back at work on 20 April, not on the 19th. Put that right in my Lisbon plan',
  replies: [
    { calls: [{ name: 'search_notes', args: { query: 'Lisbon' } }] },
    { calls: [read('20261103200000-lisbon0')] },
    edit('20261103200501-lisway0', [{ old: 'Jonas has to work on 19 April', new: 'Jonas has to be back at work on 20 April' }]),
    {
      text: 'Done: the ((20261103200501-lisway0 "reason for flying back")) now says 20 April. Your flight is on the 18th, so you could also stay a day longer; the rooms in Graça are booked for **7 nights** so far.',
    },
  ],
  until: 'approved',
};

const lisbonBudget: Talk = {
  question: 'What does the whole way cost?',
  replies: [
    {
      text: '**572 € for two**, from the ((20261103200000-lisbon0 "plan")):\n\n| Way | Price |\n| --- | ---: |\n| Trains and night bus there | 360 € |\n| Plane back to Basel | 212 € |\n\nWith the rooms (728 €) that makes **1,300 €**.',
    },
  ],
  until: 'answered',
};

const sweep: Talk = {
  question: 'When does the chimney sweep come?',
  replies: [
    { calls: [{ name: 'search_notes', args: { query: 'sweep' } }] },
    { calls: [read('20260110180000-home000')] },
    {
      text: 'On **3 December, 8:00–10:00** ((20260110180000-home000 "Home")), and somebody must be at home.',
    },
  ],
  until: 'answered',
};

const sweepMoved: Talk = {
  question: 'It is the 4th now. Change my list',
  replies: [
    { calls: [read('20260110180000-home000')] },
    (request) => {
      const found = /@@(\d{14}-[0-9a-z]{7})@@(\w+)#(\w+) [^@]*chimney inspection/.exec(toolTexts(request));
      return {
        calls: [
          {
            name: 'edit_block',
            args: { id: found?.[1], expectHash: found?.[3], edits: [{ old: 'on 3 December', new: 'on Friday, 4 December' }] },
          },
        ],
      };
    },
    { text: 'Changed.' },
  ],
  until: 'approval',
};

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

export const talks = { heatQuestion, heatSummary, heatAtOnce, lisbon, lisbonBudget, sweep, sweepMoved, training };
