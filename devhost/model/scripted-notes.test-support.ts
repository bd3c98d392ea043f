import type { ToolSpec } from './types.ts';

/** Tools as the plugin offers them, and answers in the form that its tools give, over a handful of notes. For tests only. */
export function toolSpec(name: string, properties: Record<string, unknown>): ToolSpec {
  return { type: 'function', function: { name, parameters: { properties } } };
}

export const noteTools: ToolSpec[] = [
  toolSpec('list_notebooks', {}),
  toolSpec('list_docs', { parent: {}, depth: {}, page: {} }),
  toolSpec('read_doc', { id: {}, path: {}, start: {}, blocks: {}, tokens: {}, showIds: {} }),
  toolSpec('search_notes', { query: {}, mode: {}, notebooks: {}, types: {}, page: {} }),
  toolSpec('create_doc', { notebook: {}, path: {}, markdown: {}, ifExists: {} }),
  toolSpec('insert_blocks', { anchor: {}, position: {}, markdown: {} }),
  toolSpec('edit_block', { id: {}, edits: {}, expectHash: {} }),
  toolSpec('daily_note', { op: {}, date: {}, notebook: {}, markdown: {} }),
];

export const demoTools: ToolSpec[] = [
  ...noteTools,
  toolSpec('ReadVar', { name: {}, start: {}, length: {} }),
  toolSpec('ListVars', { filter: {}, page: {} }),
];

const documents: Record<string, { title: string; pages: string[] }> = {
  '20260125100000-spacrep': {
    title: 'Spaced repetition',
    pages: [
      '# Spaced repetition [20260125100000-spacrep] /Spaced repetition in Research\nOutline:\n- h2 Schedulers [20260125100503-aaaaaaa]\n\n' +
        '@@20260125100501-srdefin@@p#1a2b3c4d **Spaced repetition** means reviewing just before forgetting. It joins two effects.\n' +
        '@@20260125100503-aaaaaaa@@h#00000001 ## Schedulers\n@@20260125100504-aaaaaaa@@t#00000002 | SM-2 | FSRS |\n' +
        '@@20260125100505-aaaaaaa@@c#00000003 ```py\nspaced repetition = 1\n```\nnext: start=4 (of 6 blocks)',
      '# Spaced repetition [20260125100000-spacrep] /Spaced repetition in Research\n\n@@20260125100506-aaaaaaa@@h#00000004 ## My settings\n' +
        '@@20260125100502-setret9@@l#00000005 - Desired retention 0.90\n- At most 15 new cards a day',
    ],
  },
  '20260420180000-vocabex': {
    title: 'Vocabulary experiment',
    pages: [
      '# Vocabulary experiment [20260420180000-vocabex] /Spaced repetition/Vocabulary experiment in Research\n\n' +
        '@@20260809180501-vocres1@@p#00000006 Spaced repetition won clearly: 87 % of deck A against 52 % of deck B were recalled.\n' +
        '@@20260420180001-aaaaaaa@@p#00000007 The cat watched.',
    ],
  },
  '20260901090000-xinrenp': {
    title: '新人培训计划',
    pages: [
      '# 新人培训计划 [20260901090000-xinrenp] /项目/新人培训计划 in 工作笔记\n\n@@20260901090501-peixun0@@p#00000008 今年改用间隔重复。\n' +
        '@@20260901090502-aaaaaaa@@h#00000009 ## 试点\n@@20261106170501-shidian@@p#0000000a 试点结果：用间隔重复的 8 个人，一个月后还能答对 82 %。',
    ],
  },
};

const spacedMatches =
  '3 matches\nSpaced repetition [20260125100000-spacrep]\n1. /Spaced repetition [20260125100000-spacrep] Spaced repetition\n' +
  '2. /Spaced repetition [20260125100501-srdefin] Spaced repetition means reviewing just before forgetting.\n' +
  'Vocabulary experiment [20260420180000-vocabex]\n' +
  '3. /Spaced repetition/Vocabulary experiment [20260809180501-vocres1] Spaced repetition won clearly: 87 % of deck A against 52 % of deck B were recalled.';
const trainingMatches =
  '1 match\n新人培训计划 [20260901090000-xinrenp]\n1. /项目/新人培训计划 [20261106170501-shidian] 试点结果：用间隔重复的 8 个人，一个月后还能答对 82 %。';

function search(query: string): string {
  if (/spaced|vocabulary|retention/i.test(query)) return spacedMatches;
  return /间隔|培训/.test(query) ? trainingMatches : '0 matches\ntry other or fewer words, or list_docs';
}

function bare(name: string, args: Record<string, unknown>): string {
  switch (name) {
    case 'list_notebooks':
      return 'Research [20261122000001-aaaaaaa] open, rights: read\nLife [20261122000002-aaaaaaa] open, rights: write\n工作笔记 [20261122000003-aaaaaaa] open, rights: read';
    case 'search_notes':
      return search(String(args.query));
    case 'read_doc': {
      const document = documents[String(args.id)] ?? documents['20260125100000-spacrep'];
      return document?.pages[args.start === 4 ? 1 : 0] ?? '';
    }
    case 'daily_note':
      if (args.op === 'list')
        return '1 daily notes from 2026-10-23 to 2026-11-22\n- 2026-11-21 [20261121220000-day1121] /daily note/2026/11/2026-11-21 in Life';
      return args.op === 'append'
        ? 'appended to /daily note/2026/11/2026-11-22 [20261122000009-aaaaaaa] in Life\nblocks: 20261122100000-aaaaaa1#00000001\nundo: exact'
        : '# 2026-11-22 [20261122000009-aaaaaaa] /daily note/2026/11/2026-11-22 in Life\n\n@@20261122000010-aaaaaaa@@p#00000001 Wrote two slides.';
    case 'ReadVar':
      return spacedMatches;
    default:
      return 'created /Memory [20261122100000-aaaaaa3] in Research\nundo: exact';
  }
}

/** What a tool answers, framed as the executor frames it. */
export function answers(name: string, args: Record<string, unknown>): string {
  return `<untrusted-data tool="${name}">\n${bare(name, args)}\n</untrusted-data>\n[kept as $VAR_REF{{${name}_call_result}}]`;
}
