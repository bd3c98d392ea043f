import { describe, expect, it } from 'vitest';
import { TAGGED_JSON } from './tagged-json.ts';
import { expectRow, type Row } from './testing/rows.ts';

const tag = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;
const call = '{"name": "search_notes", "arguments": {"query": "tides", "limit": 3}}';
const SEARCH = 'search_notes {"query":"tides","limit":3}';

const ROWS: readonly Row[] = [
  { input: 'one call', text: tag(call), requests: [SEARCH], shown: '' },
  {
    input: 'text around two calls',
    text: `I look.\n${tag(call)}\n${tag(call)}\nDone.`,
    requests: [SEARCH, SEARCH],
    shown: 'I look.\n\n\nDone.',
  },
  {
    input: 'a fence of its own language',
    text: `Now:\n\`\`\`tool_call \r\n${call}\n\`\`\`\n${tag(call)}`,
    requests: [SEARCH, SEARCH],
    shown: 'Now:\n\n',
  },
  { input: 'a fence of JSON, which shows an object', text: `\`\`\`json\n${call}\n\`\`\``, requests: [] },
  { input: 'a fence of another name', text: `\`\`\`tool_calling\n${call}\n\`\`\`\n\`\`\`tool_call x\n${call}\n\`\`\``, requests: [] },
  {
    input: 'calls in a fence, in inline code and in thoughts',
    text: `~~~\n${tag(call)}\n~~~\n\`<tool_call>\`<think>${tag(call)}`,
    requests: [],
  },
  { input: 'a list of calls', text: tag(`[${call}, ${call}]`), requests: [SEARCH, SEARCH], shown: '' },
  {
    input: 'markers in strings',
    text: tag(
      '{"name": "write", "arguments": {"a": "</tool_call><tool_call>{\\"\\u003c", "b": {"c": ["</tool_call>"]}, "d": \'"</tool_call>\'}}',
    ),
    requests: ['write {"a":"</tool_call><tool_call>{\\"<","b":{"c":["</tool_call>"]},"d":"\\"</tool_call>"}'],
    shown: '',
  },
  {
    input: 'JSON as models spell it',
    text: tag("{'name': 'read', 'parameters': {id: 'x', deep: True, edits: [{old: 'a',},],},}"),
    requests: ['read {"id":"x","deep":true,"edits":[{"old":"a"}]}'],
    shown: '',
  },
  { input: 'arguments as text', text: tag('{"name": "read", "arguments": "{\\"id\\": 1}"}'), requests: ['read {"id":1}'], shown: '' },
  { input: 'no arguments', text: tag('{"name": "list_notebooks"}'), requests: ['list_notebooks {}'], shown: '' },
  {
    input: 'arguments in the wrong place',
    text: tag('{"name": "read", "id": 7, "doc": 1}'),
    requests: ['read {}'],
    shown: '',
    warning: /"doc" beside/,
  },
  { input: 'no name', text: tag('{"arguments": {"id": 1}}'), requests: ['! {}'], shown: '', reason: /no "name"/ },
  {
    input: 'arguments that are a list',
    text: tag('{"name": "read", "arguments": [1]}'),
    requests: ['!read {}'],
    shown: '',
    reason: /an array/,
  },
  { input: 'no JSON', text: tag("don't"), requests: ['! {}'], shown: '', reason: /no JSON|not an object/ },
  { input: 'an empty call', text: '<tool_call></tool_call>', requests: ['! {}'], shown: '', reason: /breaks off/ },
  {
    input: 'a quote that is not escaped',
    text: tag('{"name": "read", "arguments": {"a": "say "x" now"}}'),
    requests: ['!read {}'],
    shown: '',
    reason: /no JSON/,
  },
  {
    input: 'more levels than are ever meant',
    text: tag(`{"name": "read", "arguments": {"a": ${'['.repeat(80)}${']'.repeat(80)}}}`),
    requests: ['!read {}'],
    shown: '',
    reason: /levels/,
  },
  {
    input: 'no end at the end of the text',
    text: `<tool_call>{"name": "read", "arguments": {"id": "x`,
    requests: ['!read {}'],
    shown: '',
    reason: /broke off/,
  },
  {
    input: 'no end, then a whole call',
    text: `<tool_call>${call}${tag(call)}`,
    requests: ['!search_notes {}', SEARCH],
    shown: '',
    reason: /no \/tool_call/,
  },
  {
    input: 'a call that breaks off before another, which may be a part of it',
    text: `<tool_call>{"name": "write", "arguments": {"text": "see "${tag(call)}`,
    requests: ['!write {}', `!${SEARCH}`],
    shown: '',
    reason: /no \/tool_call/,
  },
  {
    input: 'a tag that broke off, and a stray one',
    text: 'a </tool_call>b <tool_ca',
    requests: ['! {}'],
    shown: 'a b ',
    reason: /broke off/,
  },
  { input: 'other tags', text: 'a <tool> <to', requests: [] },
  { input: 'nothing', text: '', requests: [] },
];

describe('JSON calls in an answer', () => {
  it.each(ROWS)('$input', (row) => {
    expectRow(TAGGED_JSON, row);
  });
});

it('reports a call while it arrives: its name, texts decoded, everything else as JSON', () => {
  const stream = TAGGED_JSON.stream();
  const text = '<tool_call>{"name": "wr\\u0069te", "arguments": {"text": "a\\n\\"b\\"", "list": [1, {"c": "\\n, d"}], "on": true}}';
  const parts = stream.take(text).map((part) => {
    if (part.type === 'argument') return `${part.key}=${part.text}`;
    return part.type === 'name' ? part.toolName : part.type;
  });
  expect(parts).toEqual(['start', 'write', 'text=a\n"b"', 'list=[1,{"c":"\\n, d"}]', 'on=true']);
  const spans = TAGGED_JSON.parseToolRequests(`${text}</tool_call>`)[0]?.argumentSpans ?? {};
  expect(Object.entries(spans).map(([key, { start, end }]) => `${key}=${text.slice(start, end)}`)).toEqual([
    'text="a\\n\\"b\\""',
    'list=[1, {"c": "\\n, d"}]',
    'on=true',
  ]);
});
