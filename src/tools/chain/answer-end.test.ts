import { describe, expect, it } from 'vitest';
import { hasTextCall } from './answer-end.ts';

const TOOLS = ['search_notes', 'read_doc'];

describe('a call that stands as text', () => {
  it.each([
    '<tool_call>\n{"name": "search_notes", "arguments": {"query": "tea"}}\n</tool_call>',
    'I look.\n<tool_call>{"name": "functions.search_notes", "arguments": {}}',
    '<|tool_call|>[{"name": "search_notes"}]',
    '<function=search_notes>{"query": "tea"}</function>',
    '<tool_call><function=search_notes><parameter=query>tea</parameter></function></tool_call>',
    '<function_calls><invoke name="search_notes"></invoke></function_calls>',
    '<minimax:tool_call><invoke name="search_notes">',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search_notes',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search_notes:0<|tool_call_argument_begin|>{}',
    '[TOOL_CALLS]search_notes{"query": "tea"}',
    '[TOOL_CALLS] [{"name": "search_notes", "arguments": {}}]',
    '<|python_tag|>{"name": "search_notes", "parameters": {}}',
    '<|channel|>commentary to=functions.search_notes <|constrain|>json<|message|>{"query":"tea"}<|call|>',
    '{"name": "search_notes", "arguments": {"query": "tea"}}',
    '```json\n{"name": "search_notes", "parameters": {"query": "tea"}}\n```',
    '```tool_code\nsearch_notes(query="tea")\n```',
    '<tool_call>search_notes\n<arg_key>query</arg_key>',
  ])('is noticed: %s', (content) => {
    expect(hasTextCall(content, TOOLS)).toBe(true);
  });

  it.each([
    '',
    'I searched with search_notes.',
    'Write `<tool_call>{"name": "search_notes"}</tool_call>`.',
    'So:\n\n```xml\n<tool_call>{"name": "search_notes"}</tool_call>\n```\n\nThat is all.',
    '<tool_call>{"name": "of_another_program"}</tool_call>',
    '{"name": "Tea", "kind": "drink"}',
    'The tool search_notes takes {"query": "tea"}.',
  ])('is not seen in %j', (content) => {
    expect(hasTextCall(content, TOOLS)).toBe(false);
  });

  it('needs tools', () => {
    expect(hasTextCall('<tool_call>{"name": "search_notes"}</tool_call>', [])).toBe(false);
  });
});
