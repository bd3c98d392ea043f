import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasTextCall } from '../../tools/chain/answer-end.ts';
import { escapeMarkers } from '../../tools/util/markers.ts';
import type { ToolCallingProtocol } from '../contract.ts';
import { PROTOCOLS } from '../protocols.ts';
import { cutsOf } from '../testing/cuts.ts';
import { answerOf } from '../testing/text-answers.ts';
import { FORMS } from './testing/forms.ts';

const MEANT = ['find {"q":"tea time","limit":3}'];
const ARGS = '{"q": "tea time", "limit": 3}';
const CALL = `{"name": "find", "arguments": ${ARGS}}`;
const fence = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\``;

type Cuts = Iterable<readonly string[]>;
interface Read {
  readonly content: string;
  readonly said: string;
  readonly calls: readonly string[];
}

/** Expects the same of every cut. Thousands are read: one expectation for each would take longer than the reading. */
async function expectOfEach(protocol: ToolCallingProtocol, cuts: Cuts, expected: Read): Promise<void> {
  const others: unknown[] = [];
  for (const pieces of cuts) {
    const { content, said, calls } = await answerOf(protocol, pieces);
    if (!isDeepStrictEqual({ content, said, calls }, expected)) others.push({ pieces, content, said, calls });
  }
  expect(others).toEqual([]);
}

/** A few of them: all cuts of the same text are tried above. */
const splitsOf = (text: string): readonly (readonly string[])[] => [[text], [...text], [text.slice(0, 12), text.slice(12)]];

describe.each(PROTOCOLS)('beside $id, a call as other families of models write it', (protocol) => {
  it.each(FORMS)('is read, however it is cut: $family', async ({ text, calls = MEANT }) => {
    await expectOfEach(protocol, cutsOf(text), { content: '', said: '', calls });
  });

  it.each(FORMS)('comes behind words, and drops made-up results: $family', async ({ text, calls = MEANT }) => {
    const answer = `I look.\n\n${text}\n<tool_response>\n{"name": "find", "arguments": {"q": "made up"}}\n</tool_response>`;
    await expectOfEach(protocol, splitsOf(answer), { content: 'I look.', said: 'I look.', calls });
  });

  it.each(FORMS)('never runs where it is cut off, and is not shown then: $family', async ({ text, calls = MEANT }) => {
    const wrong: unknown[] = [];
    for (let end = 1; end < text.length; end++) {
      const start = text.slice(0, end);
      const { calls: read, content } = await answerOf(protocol, [start], 'length');
      const ran = read.filter((call) => !call.startsWith('!'));
      if (!ran.every((call) => calls.includes(call)) || (start.includes('tea ') && content !== '')) wrong.push({ start, ran, content });
    }
    expect(wrong).toEqual([]);
  });

  it.each(FORMS)('never runs among thoughts, and runs behind them: $family', async ({ text, calls = MEANT }) => {
    const draft = text.replaceAll('tea time', 'a draft').replaceAll('rain', 'drafts');
    for (const thoughts of [`<think>${draft}</think>`, `I could ask:\n${draft}\nNo, otherwise.\n</think>`]) {
      for (const pieces of [[`${thoughts}\n\n${text}`], [...`${thoughts}\n\n${text}`]]) {
        expect(await answerOf(protocol, pieces), pieces.join('')).toMatchObject({ content: '', calls });
      }
      expect(await answerOf(protocol, [`${thoughts}\n\nFour.`])).toMatchObject({ content: 'Four.', calls: [] });
    }
  });

  it.each(FORMS)('is not run where a model repeats a note word for word: $family', async ({ text }) => {
    const { calls } = await answerOf(protocol, [escapeMarkers(text)]);
    expect(calls.filter((call) => !call.startsWith('!'))).toEqual([]);
  });

  it('runs once where a model writes it twice, also in two forms', async () => {
    const own = protocol.formatToolRequest({ toolName: 'find', args: { q: 'tea time', limit: 3 } });
    for (const text of [
      `${own}\n${own}`,
      `[TOOL_CALLS]find[ARGS]${ARGS}\n${own}`,
      `${own}\n[TOOL_CALLS]find[ARGS]${ARGS}`,
      `<function=find>${ARGS}</function>\n${fence('json', CALL)}`,
    ]) {
      await expectOfEach(protocol, cutsOf(text), { content: '', said: '', calls: MEANT });
    }
  });

  it.each([
    ['an example in a fence, explained further', `So:\n\n${fence('json', CALL)}\n\nThat is how.`],
    ['an example of tags in a fence', `So:\n${fence('xml', `<tool_call>${CALL}</tool_call>`)}`],
    ['a form in code', `Write \`[TOOL_CALLS]find[ARGS]${ARGS}\` and \`<function=find>\`.`],
    ['JSON of another name', fence('json', '{"name": "Tea", "arguments": {"q": "x"}}')],
    ['JSON without arguments', fence('json', '{"name": "find", "kind": "tool"}')],
    ['JSON whose arguments are no object', fence('json', '{"name": "find", "arguments": ["q"]}')],
    ['bare JSON of another name', '{"name": "Tea", "parameters": {}}'],
    ['bare JSON within a sentence', `The call ${CALL} searches.`],
    ['bare JSON with words behind it', `${CALL}\nis how to search.`],
    ['code that calls another function', fence('tool_code', 'open("x")')],
    ['code in a language', fence('python', 'for x in find(q="x"):\n    print(x)')],
    ['a list', '[1, 2, 3] and [find](https://x.test)'],
    ['a tag in a sentence', 'A <tool_calls> tag and a <function> tag, <invoke> too; a < b | c > d.'],
    ['a tag of HTML', '<function name="other">x</function> <details>'],
    ['mentions of the tool', 'find(q) looks. Use find {carefully}.'],
  ])('is not seen in %s', async (_what, text) => {
    await expectOfEach(protocol, cutsOf(text), { content: text, said: text, calls: [] });
  });

  it('leaves the protocol’s own call where an example stands before it', async () => {
    const own = protocol.formatToolRequest({ toolName: 'find', args: { q: 'tea time', limit: 3 } });
    const text = `For example:\n\n${fence('json', '{"name": "find", "arguments": {"q": "example"}}')}\n\nNow truly:\n${own}`;
    for (const pieces of cutsOf(text)) {
      const { calls, said } = await answerOf(protocol, pieces);
      expect([calls, said.startsWith('For example:\n\n```json\n{"name"')], JSON.stringify(pieces)).toEqual([MEANT, true]);
    }
  });

  it.each([
    ['JSON with a quote that is not escaped', '[TOOL_CALLS][{"name": "find", "arguments": {"q": "say "x" now"}}]', /no JSON/],
    ['no name', '<|python_tag|>{"query": "tea"}', /no "name"/],
    [
      'nothing that could be a call',
      '<|python_tag|>import os\nprint(os.getcwd())\nand then some more words about it',
      /exactly as was explained/,
    ],
    [
      'tags within a value',
      '<function=find>\n<parameter=q>\nx</function><function=list_all></function>\n</parameter>\n</function>',
      /holds a tag/,
    ],
    ['code with arguments by position', fence('tool_code', 'find("tea")'), /name=value/],
  ])('that cannot be read is reported to the model, and not shown: %s', async (_what, text, why) => {
    for (const pieces of cutsOf(text)) {
      const { content, said, calls, reasons } = await answerOf(protocol, pieces);
      expect([content, said, calls.every((call) => call.startsWith('!'))], JSON.stringify(pieces)).toEqual(['', '', true]);
      expect(reasons.join()).toMatch(why);
    }
  });

  it('keeps the types that a tool wants, and texts as they are', async () => {
    const text =
      '<tool_call>find\n<arg_key>q</arg_key>\n<arg_value>  007\n"x" <b> </arg_value>\n<arg_key>limit</arg_key><arg_value>7</arg_value></tool_call>';
    expect((await answerOf(protocol, [text])).calls).toEqual([`find ${JSON.stringify({ q: '  007\n"x" <b> ', limit: 7 })}`]);
    const json = `[TOOL_CALLS]find[ARGS]${JSON.stringify({ q: '</tool_call>[TOOL_CALLS]</function>```', limit: '7' })}`;
    expect((await answerOf(protocol, [json])).calls).toEqual([
      `find ${JSON.stringify({ q: '</tool_call>[TOOL_CALLS]</function>```', limit: 7 })}`,
    ]);
  });
});

it.each(FORMS)('is noticed where calls are native, so that it can be run in text: $family', ({ text }) => {
  expect(hasTextCall(text, ['find', 'list_all'])).toBe(true);
});
