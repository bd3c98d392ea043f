import { describe, expect, it } from 'vitest';
import { cutsOf, streamed } from '../testing/cuts.ts';
import { expectRow, type Row } from '../testing/rows.ts';
import { VCP } from './vcp.ts';

const block = (...fields: string[]): string => ['<<<[TOOL_REQUEST]>>>', ...fields, '<<<[END_TOOL_REQUEST]>>>'].join('\n');
const name = (value = 'read_doc'): string => `tool_name:「始」${value}「末」`;
const whole = block(name('search_notes'), 'query:「始」tides「末」');

const SEARCH = 'search_notes {"query":"tides"}';

const ROWS: readonly Row[] = [
  { input: 'one block', text: whole, requests: [SEARCH], shown: '' },
  { input: 'two blocks', text: `${whole}\n${whole}`, requests: [SEARCH, SEARCH], shown: '\n' },
  { input: 'text around', text: `I look.\n${whole}\nDone.`, requests: [SEARCH], shown: 'I look.\n\nDone.' },
  {
    input: 'a last value that is not closed',
    text: block(name(), 'id:「始」 20260101 '),
    requests: ['!read_doc {"id":"20260101"}'],
    shown: '',
    reason: /"id" is not closed/,
  },
  {
    input: 'a value that is not closed before the next',
    text: block(name(), 'a:「始」one,', 'b:「始」two「末」'),
    requests: ['!read_doc {"a":"one,\\nb:"}'],
    shown: '',
    reason: /"a" is not closed/,
  },
  {
    input: 'no end marker at the end of the text',
    text: `<<<[TOOL_REQUEST]>>>\n${name()}\n`,
    requests: ['!read_doc {}'],
    shown: '',
    reason: /broke off/,
  },
  {
    input: 'no end marker, then a whole block',
    text: `<<<[TOOL_REQUEST]>>>\n${name()}\n${whole}`,
    requests: ['!read_doc {}', SEARCH],
    shown: '',
    reason: /no END_TOOL_REQUEST/,
  },
  {
    input: 'an ESCAPE value that holds a whole request',
    text: block(name('write'), `text:「始ESCAPE」${whole}「末ESCAPE」`),
    requests: [`write ${JSON.stringify({ text: whole })}`],
    shown: '',
  },
  {
    input: 'a plain value that holds a whole request',
    text: block(name('write'), `text:「始」see ${whole}「末」`),
    requests: ['!write {"text":"see"}'],
    shown: '',
    reason: /"text" is not closed/,
  },
  {
    input: 'a plain value that holds two whole requests',
    text: block(name('write'), `text:「始」see ${whole} and ${whole}「末」`),
    requests: ['!write {"text":"see"}'],
    shown: '',
    reason: /"text" is not closed/,
  },
  {
    input: 'a plain value that holds the end of its request and another one',
    text: block(name('write'), `text:「始」see <<<[END_TOOL_REQUEST]>>>${whole}「末」`),
    requests: ['!write {"text":"see"}', `!${SEARCH}`],
    shown: '「末」\n',
    reason: /"text" is not closed/,
  },
  {
    input: 'ESCAPE in lower case',
    text: block(name(), 'a:「始escape」「末」「末Escape」'),
    requests: ['read_doc {"a":"「末」"}'],
    shown: '',
  },
  {
    input: 'full-width and spaced colons',
    text: block(name(), 'a ： 「始」1「末」 , b\t:\n「始」2「末」'),
    requests: ['read_doc {"a":"1","b":"2"}'],
    shown: '',
  },
  {
    input: 'commas between fields',
    text: block(`${name()}, a:「始」1「末」，b:「始」2「末」,`),
    requests: ['read_doc {"a":"1","b":"2"}'],
    shown: '',
  },
  {
    input: 'prose behind the last field',
    text: block(name(), 'a:「始」1「末」', 'That is all.'),
    requests: ['read_doc {"a":"1"}'],
    shown: '',
  },
  {
    input: 'a value without marks',
    text: block(name(), 'a: 1', 'b:「始」2「末」'),
    requests: ['read_doc {"b":"2"}'],
    shown: '',
    warning: /"a:"/,
  },
  {
    input: 'quoted keys',
    text: block('"tool_name":「始」read_doc「末」', '**a**:「始」1「末」'),
    requests: ['read_doc {"a":"1"}'],
    shown: '',
  },
  {
    input: 'the case of keys',
    text: block('Tool_Name:「始」read_doc「末」', 'ID:「始」1「末」'),
    requests: ['read_doc {"ID":"1"}'],
    shown: '',
  },
  { input: 'keys of any script', text: block(name(), '标题_é-1.𝒂:「始」1「末」'), requests: ['read_doc {"标题_é-1.𝒂":"1"}'], shown: '' },
  { input: 'a value without a key', text: block(name(), '「始」1「末」'), requests: ['!read_doc {}'], shown: '', reason: /no key/ },
  ...['```', '~~~~', '````md', '  ```', '> ```', '- ```', '1. ~~~'].map((fence) => ({
    input: `a fence ${fence}`,
    text: `${fence}\n${whole}\n${fence.replace(/[a-z\d.-]+/, '')}\n${whole}`,
    requests: [SEARCH],
    shown: `${fence}\n${whole}\n${fence.replace(/[a-z\d.-]+/, '')}\n`,
  })),
  { input: 'an open fence', text: `\`\`\`\n${whole}\n\`\` \n~~~\n${whole}`, requests: [] },
  { input: 'a closing fence that is too short, or has words behind it', text: `\`\`\`\`\n\`\`\`\n\`\`\`\` x\n${whole}`, requests: [] },
  {
    input: 'inline code',
    text: `Write \`<<<[TOOL_REQUEST]>>>\` and \`\`a \` <<<[TOOL_REQUEST]>>>\`\`, \`\`\`<<<[TOOL_REQUEST]>>>\`\`\`.`,
    requests: [],
  },
  { input: 'three backticks that are inline code', text: `\`\`\`a\`\`\`\n${whole}`, requests: [SEARCH], shown: '```a```\n' },
  { input: 'a stray backtick on another line', text: `the key \` here\n${whole}`, requests: [SEARCH], shown: 'the key ` here\n' },
  { input: 'thoughts', text: `<think>\n${whole}</think>\n${whole}`, requests: [SEARCH], shown: `<think>\n${whole}</think>\n` },
  { input: 'open thoughts', text: `<think>${whole}`, requests: [] },
  { input: 'thoughts in a value', text: block(name(), 'a:「始」<think>「末」'), requests: ['read_doc {"a":"<think>"}'], shown: '' },
  {
    input: 'a fence in a value, then a second block',
    text: `${block(name(), 'a:「始」```js\nx「末」')}\n${whole}`,
    requests: ['read_doc {"a":"```js\\nx"}', SEARCH],
    shown: '\n',
  },
  {
    input: 'a key twice',
    text: block(name(), 'a:「始」1「末」', 'a:「始」2「末」'),
    requests: ['read_doc {"a":"2"}'],
    shown: '',
    warning: /"a" is given twice/,
  },
  {
    input: 'numbered commands',
    text: block(
      ...[name('files'), 'command10:「始」c「末」', 'p10:「始」3「末」', 'command2:「始」b「末」', 'p2:「始」2「末」'],
      ...['command1:「始」a「末」', 'p1:「始」1「末」', 'p3:「始」0「末」', 'all:「始」x「末」'],
    ),
    requests: [
      'files {"p3":"0","all":"x","command":"a","p":"1"}',
      'files {"p3":"0","all":"x","command":"b","p":"2"}',
      'files {"p3":"0","all":"x","command":"c","p":"3"}',
    ],
    shown: '',
  },
  {
    input: 'CRLF',
    text: block(name(), 'a:「始」\r\n 1\r\r\n「末」').replaceAll(/(?<!\r)\n/g, '\r\n'),
    requests: ['read_doc {"a":"\\n 1\\r\\n"}'],
    shown: '',
  },
  {
    input: 'white space around a value',
    text: block(name(' read_doc '), 'a:「始」 1\n「末」'),
    requests: ['read_doc {"a":" 1\\n"}'],
    shown: '',
  },
  {
    input: 'backslashes',
    text: block(name(), 'a:「始」C:\\\\dir\\n「\\「末」'),
    requests: ['read_doc {"a":"C:\\\\\\\\dir\\\\n「\\\\"}'],
    shown: '',
  },
  {
    input: 'escaped marks',
    text: block(name(), 'a:「始」「\\末」「\\\\始escape」「\\末x「末」'),
    requests: ['read_doc {"a":"「末」「\\\\始escape」「\\\\末x"}'],
    shown: '',
  },
  { input: 'no tool_name', text: block('a:「始」1「末」'), requests: ['! {"a":"1"}'], shown: '', reason: /no tool_name/ },
  { input: 'an empty block', text: '<<<[TOOL_REQUEST]>>><<<[END_TOOL_REQUEST]>>>', requests: ['! {}'], shown: '', reason: /no tool_name/ },
  { input: 'nothing', text: '', requests: [] },
  { input: 'blanks', text: ' \n\t', requests: [] },
  { input: 'a marker that broke off', text: 'So: <<<[TOOL_RE', requests: ['! {}'], shown: 'So: ', reason: /broke off/ },
  { input: 'a stray end marker, and a piece of one', text: `a <<<[END_TOOL_REQUEST]>>> b <<<[END_T`, requests: [], shown: 'a  b ' },
  { input: 'less-than signs', text: 'a << b <<<[x] <thin <', requests: [] },
];

describe('requests in an answer', () => {
  it.each(ROWS)('$input', (row) => {
    expectRow(VCP, row);
  });
});

it('gives each request its own id, even where the model repeats one', () => {
  const given = block(name(), 'request_id:「始」vcp-3「末」');
  const twice = block(name(), 'command1:「始」a「末」', 'command2:「始」b「末」', 'Request_ID:「始」mine「末」');
  const ids = VCP.parseToolRequests([whole, given, twice, whole, whole].join('\n')).map(({ requestId }) => requestId);
  expect(ids).toEqual(['vcp-1', 'vcp-3', 'mine', 'mine-2', 'vcp-5', 'vcp-6']);
});

it('puts the end marker back where the provider stopped at it, without closing a value', () => {
  const open = whole.slice(0, whole.indexOf('<<<[END'));
  for (const pieces of cutsOf(open)) {
    const parts = streamed(VCP, pieces, true);
    expect(parts.at(-1)).toMatchObject({
      type: 'request',
      request: { toolName: 'search_notes', args: { query: 'tides' }, rawBlock: whole },
    });
    expect(parts.at(-1)).not.toHaveProperty('request.invalid');
  }
  expect(streamed(VCP, [open.slice(0, -3)], true).at(-1)).toHaveProperty('request.invalid');
  expect(streamed(VCP, [open], false).at(-1)).toHaveProperty('request.invalid');
  expect(streamed(VCP, ['no request'], true)).toEqual([{ type: 'text', text: 'no request' }]);
});

it('refuses an absurd number of commands, and limits its warnings', () => {
  const commands = Array.from({ length: 101 }, (_, index) => `command${index + 1}:「始」a「末」`);
  expect(VCP.parseToolRequests(block(name(), ...commands.slice(1)))).toHaveLength(100);
  expect(VCP.parseToolRequests(block(name(), ...commands))).toMatchObject([{ invalid: expect.stringContaining('more than 100 commands') }]);
  expect(VCP.parseToolRequests(block(name(), 'a: b\n'.repeat(1000)))[0]?.warnings).toHaveLength(8);
});
