import { describe, expect, it, vi } from 'vitest';
import { ThoughtSplitter, withoutThoughts } from './thoughts.ts';

function split(pieces: readonly string[]) {
  const splitter = new ThoughtSplitter();
  let [text, thoughts] = ['', ''];
  for (const part of [...pieces.flatMap((piece) => splitter.take(piece)), ...splitter.finish()]) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'thought') thoughts += part.text;
    else {
      thoughts += text.trim();
      text = '';
    }
  }
  return { text, thoughts };
}

const FAMILIES: readonly (readonly [string, string])[] = [
  ['DeepSeek, Qwen', '<think>\nTea or coffee?\n</think>\n\nTea.'],
  ['in capitals', '\n<THINK>Tea or coffee?</THINK>Tea.'],
  ['thinking', '<thinking>\nTea or coffee?\n</thinking>\n\nTea.'],
  ['thought', '<thought>Tea or coffee?</thought> Tea.'],
  ['reasoning', '<reasoning>Tea or coffee?</reasoning>\nTea.'],
  ['Seed', '<seed:think>Tea or coffee?</seed:think>Tea.'],
  ['with an attribute', '<think time="3">Tea or coffee?</think>Tea.'],
  ['Magistral', '[THINK]Tea or coffee?[/THINK]Tea.'],
  ['Kimi', '◁think▷Tea or coffee?◁/think▷Tea.'],
  ['OpenThoughts', '<|begin_of_thought|>\nTea or coffee?\n<|end_of_thought|>\n\n<|begin_of_solution|>\nTea.<|end_of_solution|>'],
  ['Command A', '<|START_THINKING|>Tea or coffee?<|END_THINKING|><|START_RESPONSE|>Tea.<|END_RESPONSE|>'],
  ['gpt-oss', '<|channel|>analysis<|message|>Tea or coffee?<|end|><|start|>assistant<|channel|>final<|message|>Tea.<|return|>'],
  ['gpt-oss without its end', '<|start|>assistant<|channel|>analysis<|message|>Tea or coffee?<|end|><|channel|>final<|message|>Tea.'],
  ['Gemma', '<|channel>thought\nTea or coffee?<channel|>Tea.'],
  ['Hunyuan', '<think>\nTea or coffee?\n</think>\n<answer>\nTea.\n</answer>'],
  ['only its end', 'Tea or coffee?\n</think>\n\nTea.'],
  ['only its end, on the line', 'Tea or coffee?</think>\n\nTea.'],
  ['only its end, with no line', 'Tea or coffee?</thinking>Tea.'],
  ['only the end, gpt-oss', 'Tea or coffee?<|end|><|start|>assistant<|channel|>final<|message|>Tea.'],
  ['a word about its own mark', '<think>Tea or coffee?</think>Tea.'],
];

describe('thoughts in the text', () => {
  it.each(FAMILIES)('are parted from the answer: %s', (_name, answer) => {
    const expected = { text: 'Tea.', thoughts: 'Tea or coffee?' };
    const trimmed = (pieces: readonly string[]) => {
      const { text, thoughts } = split(pieces);
      return { text: text.trim(), thoughts };
    };
    expect(trimmed([answer])).toEqual(expected);
    expect(trimmed([...answer])).toEqual(expected);
    for (let at = 1; at < answer.length; at += 1)
      expect(trimmed([answer.slice(0, at), answer.slice(at)]), `cut at ${at}`).toEqual(expected);
    expect(withoutThoughts(answer).trim()).toBe('Tea.');
  });

  it('are all of it while nothing closes them', () => {
    expect(split(['<think>Tea or ', 'coffee?\n'])).toEqual({ text: '', thoughts: 'Tea or coffee?' });
    expect(split(['<think>Tea</thi'])).toEqual({ text: '', thoughts: 'Tea' });
  });

  it('go on behind each other, and where they name their own end in code', () => {
    expect(split(['<think>One.</think>\n<think>Two.</think>\nTea.'])).toEqual({ text: 'Tea.', thoughts: 'One.Two.' });
    const answer = '<think>I end with `</think>` then.</think>Tea.';
    for (const pieces of [[answer], [...answer]]) expect(split(pieces)).toEqual({ text: 'Tea.', thoughts: 'I end with `</think>` then.' });
  });

  it('of gpt-oss without its signs are known by their end: an answer may begin with an analysis', () => {
    const answer = 'analysisTea or coffee?assistantfinalTea.';
    for (const pieces of [[answer], [...answer]]) expect(split(pieces)).toEqual({ text: 'Tea.', thoughts: 'analysisTea or coffee?' });
    expect(withoutThoughts(answer)).toBe('Tea.');
  });

  it.each([
    'Use `<think>` and `</think>`.',
    '`</think>` ends them.',
    'So:\n\n```xml\n<think>\nhm\n</think>\n```\n\nDone.',
    '~~~\na.\n</think>\n~~~\n',
    'The mark </think> ends them, and <think> begins them.',
    'It writes <think>hm</think> first.\n</think>\n',
    '这个标签是</think>，它表示结束。',
    'Write it so: "</think>"',
    '> a quote\n\n<div>and HTML</div>',
    '```\n<think>\n```',
    '<thin ice>',
    '<b>Tea</b>',
    '[think about it](x)',
    '[1] Tea',
    'analysis of tea',
    'Analysis报告：茶。',
    'analysisTea is a word of an assistant',
    'The word assistantfinal is none.',
    '◁ tea',
    '  indented',
    '<',
    'a < b',
    '',
  ])('are none of what an answer says about marks, or with other marks: %j', (answer) => {
    for (const pieces of [[answer], [...answer]]) expect(split(pieces)).toEqual({ text: answer, thoughts: '' });
  });

  it('costs no more than the answer is long', () => {
    const splitter = new ThoughtSplitter();
    const long = 'The mark </think> is `code`. '.repeat(20_000);
    const parts = [...splitter.take(long), ...splitter.finish()];
    expect(parts.map((part) => ('text' in part ? part.text : '')).join('')).toBe(long);
  });
});

it('reads no more than the newest piece of a long answer each time', () => {
  const read = vi.spyOn(RegExp.prototype, 'test');
  const splitter = new ThoughtSplitter();
  const text = Array.from({ length: 500 }, () => splitter.take('An answer that goes on. ')).flat();
  splitter.finish();
  const longest = Math.max(...read.mock.calls.map(([given]) => given.length));
  read.mockRestore();
  expect(text).toHaveLength(500);
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(200);
});

it.each([
  [['ana', 'lysis', 'We need it.', 'assistantfinal', 'Four.']],
  [['\n analysis', 'The tides', ' come.assistant', 'final', 'Four.']],
])('knows thoughts that stand bare by their beginning, however it is cut: %j', (pieces) => {
  const splitter = new ThoughtSplitter();
  const parts = [...pieces.flatMap((piece) => splitter.take(piece)), ...splitter.finish()];
  expect(parts.findLast(({ type }) => type !== 'text')).toEqual({ type: 'was-thought' });
  expect(parts.at(-1)).toEqual({ type: 'text', text: 'Four.' });
});
