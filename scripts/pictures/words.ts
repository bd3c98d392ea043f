// What is said and written in the pictures of every part of the panel, in English and in Chinese. All of it is made up.
export interface Words {
  readonly notebook: string;
  readonly note: { readonly title: string; readonly markdown: string };
  /** Where a word of the note's table changes, and what comes after it. */
  readonly edit: { readonly old: string; readonly new: string };
  readonly added: string;
  readonly change: string;
  readonly changed: string;
  readonly ask: string;
  readonly query: string;
  /** With `NOTE` where the block is cited. */
  readonly answer: string;
  readonly failing: string;
  readonly search: string;
  /** Notes to find, what is typed behind `@` for them, and a question about them. */
  readonly garden: {
    readonly notes: readonly { readonly path: string; readonly markdown: string }[];
    readonly at: string;
    readonly ask: string;
    readonly answer: string;
  };
}

/** The same in every language. */
const FORMULA_AND_CODE = [
  '$$\nR = \\left(1 + \\frac{t}{9S}\\right)^{-1}\n$$',
  '',
  '```python',
  'def next_interval(stability: float, retention: float = 0.90, maximum: int = 36500) -> float:',
  '    return min(maximum, 9 * stability * (1 / retention - 1))',
  '```',
];

const english: Words = {
  notebook: 'Life',
  note: {
    title: 'Rye bread',
    markdown: [
      'Starter from ((20260110180000-home000 "Home")), fed twice a day.',
      '| Flour | Water | Hours |\n| --- | --- | --- |\n| Rye | 80 % | 16 |\n| Wheat | 65 % | 4 |',
      '- bake at 250 °C\n- turn down after ten minutes',
    ].join('\n\n'),
  },
  edit: { old: '16', new: '18' },
  added: '## Next time\n\n1. Feed the starter on **Friday**\n2. See ((20260110180000-home000 "Home"))\n\n$$\nw = 0.8 \\cdot m\n$$',
  change: 'Rye takes 18 hours. Put that right, and add what I want to try next',
  changed: 'Both are in the note.',
  ask: 'Compare the schedulers of spaced repetition, with a formula and some code',
  query: 'spaced repetition',
  answer: [
    'Your notes compare three of them ((NOTE "Spaced repetition")):',
    '',
    '| Scheduler | State per card | Fitted to my reviews | After a lapse | Growth of the gaps |',
    '| --- | --- | --- | --- | --- |',
    '| SM-2 (1987) | interval, ease | no | starts again at one day | by the ease |',
    '| FSRS | stability, difficulty | yes | keeps a part of it | by the stability |',
    '',
    'How well a card is remembered after $t$ days:',
    '',
    ...FORMULA_AND_CODE,
    '',
    '```mermaid\ngraph LR\n  Learn --> Review\n  Review --> Lapse\n  Lapse --> Review\n```',
  ].join('\n'),
  failing: 'And what about Anki?',
  search: 'budget',
  garden: {
    notes: [
      {
        path: '/Garden/Soil/Compost heap',
        markdown: 'The raised bed needs compost from leaves, straw and kitchen waste before the tomatoes go in.',
      },
      {
        path: '/Garden/Plans/2026/Vegetable plot',
        markdown: 'Tomatoes want most of the compost; the beans in the raised bed take what is left.',
      },
      { path: '/Archive/Old garden book', markdown: 'Straw keeps the tomatoes dry. Compost is ready after nine months.' },
    ],
    at: '@straw for the compost',
    ask: 'What goes into the raised bed before the tomatoes?',
    answer: 'Compost from leaves, straw and kitchen waste.',
  },
};

const chinese: Words = {
  notebook: '工作笔记',
  note: {
    title: '发布检查表',
    markdown: [
      '负责人见((20260901090000-xinrenp "新人培训"))，每周更新两次。',
      '| 步骤 | 负责人 | 小时 |\n| --- | --- | --- |\n| 构建 | 小林 | 16 |\n| 验收 | 老周 | 4 |',
      '- 先在测试环境发布\n- 十分钟后再看监控',
    ].join('\n\n'),
  },
  edit: { old: '16', new: '18' },
  added: '## 下一次\n\n1. **周五**之前冻结代码\n2. 参见((20260901090000-xinrenp "新人培训"))\n\n$$\nt = 0.8 \\cdot n\n$$',
  change: '构建要 18 小时。改一下，再写上下一次要做的事',
  changed: '两处都写好了。',
  ask: '比较几种间隔重复的算法，给出公式和代码',
  query: '间隔重复',
  answer: [
    '你的笔记里比较过两种((NOTE "间隔重复"))：',
    '',
    '| 算法 | 每张卡片的状态 | 按我的记录拟合 | 遗忘之后 | 间隔怎样变长 |',
    '| --- | --- | --- | --- | --- |',
    '| SM-2（1987 年） | 间隔、难易度 | 否 | 从一天重新开始 | 按难易度 |',
    '| FSRS | 稳定性、难度 | 是 | 保留一部分 | 按稳定性 |',
    '',
    '$t$ 天之后还记得的概率：',
    '',
    ...FORMULA_AND_CODE,
    '',
    '```mermaid\ngraph LR\n  学习 --> 复习\n  复习 --> 遗忘\n  遗忘 --> 复习\n```',
  ].join('\n'),
  failing: 'Anki 呢？',
  search: '预算',
  garden: {
    notes: [
      { path: '/花园/土壤/堆肥', markdown: '种番茄之前，高架苗床要先铺一层由树叶、秸秆和厨余做成的堆肥。' },
      { path: '/花园/计划/2026/菜地', markdown: '番茄需要最多的堆肥，苗床里的豆子用剩下的就够了。' },
      { path: '/归档/旧园艺笔记', markdown: '秸秆让番茄保持干燥。堆肥要九个月才能用。' },
    ],
    at: '@秸秆 堆肥',
    ask: '种番茄之前，苗床里要放什么？',
    answer: '用树叶、秸秆和厨余做成的堆肥。',
  },
};

export const WORDS = { en: english, 'zh-CN': chinese } as const;
