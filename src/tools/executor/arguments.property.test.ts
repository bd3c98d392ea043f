import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import { canonicalJson } from '../util/plain-value.ts';
import { parseArguments } from './arguments.ts';

const NAMES = ['id', 'markdown', 'edits', '__proto__', 'constructor'];
const TEXTS = [
  '',
  'half a sentence',
  'a "quoted" {brace} [and] `fence`',
  "it's",
  '```\n}',
  'a\nb',
  '*/ // #',
  '\\d+',
  '笔记 😀',
  '}});',
  '"}',
];

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...TEXTS),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 3 }),
})).object as fc.Arbitrary<Record<string, unknown>>;

/** As Python prints it. */
function python(item: unknown): string {
  if (item === null) return 'None';
  if (typeof item === 'boolean') return item ? 'True' : 'False';
  if (typeof item === 'string') return `'${JSON.stringify(item).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(item)) return `[${item.map(python).join(', ')}]`;
  if (typeof item !== 'object') return String(item);
  return `{${Object.entries(item)
    .map(([key, entry]) => `${python(key)}: ${python(entry)}`)
    .join(', ')}}`;
}

const trailingComma = (json: string): string => (json.length > 2 ? `${json.slice(0, -1)},}` : json);

const WRAPPERS: readonly (readonly [string, (args: Record<string, unknown>) => string])[] = [
  ['as it is', (args) => JSON.stringify(args)],
  ['indented', (args) => JSON.stringify(args, undefined, 2)],
  ['a byte order mark', (args) => `\uFEFF${JSON.stringify(args)}`],
  ['a fence', (args) => `\`\`\`json\n${JSON.stringify(args)}\n\`\`\``],
  ['a fence on one line', (args) => `\`\`\`${JSON.stringify(args)}\`\`\``],
  ['a fence with spaces and a trailing comma', (args) => ` \`\`\`\n ${trailingComma(JSON.stringify(args))}\n \`\`\` `],
  ['a comment before', (args) => `// the arguments\n${JSON.stringify(args)}`],
  ['a comment around', (args) => `/* { */ ${JSON.stringify(args)} /* done */`],
  ['a call', (args) => `write(${JSON.stringify(args)});`],
  ['a call of a method in a fence', (args) => `\`\`\`js\ntools.write(${JSON.stringify(args)})\n\`\`\``],
  ['an assignment', (args) => `args = ${JSON.stringify(args)};`],
  ['a tag', (args) => `<arguments>\n${JSON.stringify(args)}\n</arguments>`],
  ['Python', python],
  ['Python in a call', (args) => `write(${python(args)})`],
  ['a JSON string', (args) => JSON.stringify(JSON.stringify(args))],
  ['a JSON string in a fence', (args) => `\`\`\`\n${JSON.stringify(JSON.stringify(args))}\n\`\`\``],
  ['a JSON string of Python', (args) => JSON.stringify(python(args))],
  ['a bracket too many', (args) => `${JSON.stringify(args)}}`],
  ['raw line breaks', (args) => JSON.stringify(args).replaceAll('\\n', '\n')],
];

/** undefined where it is refused. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseArguments(text);
  } catch (error) {
    if (error instanceof ToolError && ['bad_arguments', 'arguments_cut'].includes(error.code)) return undefined;
    throw error;
  }
}

describe('arguments', () => {
  it.each(WRAPPERS)('%s: the whole is read, and what breaks off is refused or is whole but for the wrapper', (_name, wrap) => {
    fc.assert(
      fc.property(value, (args) => {
        const text = wrap(args);
        const whole = canonicalJson(args);
        expect(canonicalJson(parsed(text))).toBe(whole);
        for (let end = 1; end < text.length; end++) {
          const prefix = text.slice(0, end);
          if (prefix.trim() === '') continue;
          const read = parsed(prefix);
          if (read !== undefined) expect(canonicalJson(read)).toBe(whole);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'Here you go: {"a":1}',
    '{"a":1} and {"a":2}',
    '{"text":"He said "go} now"}',
    '{"text":"a"} and "b"}',
    "{'text': 'don't'}",
    '{"a":1 "b":2}',
    '{"a" 1}',
    '{"a":hello world}',
    '{"a":1,,"b":2}',
    `{"a":${'['.repeat(100)}${']'.repeat(100)}}`,
    '```json\n',
    'write(',
    '// nothing',
  ])('%j is refused: what is meant is not beyond doubt', (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  it('keep every name as their own, and change nothing else', () => {
    const args = parsed(`{'__proto__': {'polluted': True}, "constructor": {"prototype": {"x": 1}}, id: "a"}`);
    expect(Object.keys(args ?? {})).toEqual(['__proto__', 'constructor', 'id']);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('that are no plain data are refused, whatever they do when they are read', () => {
    const itself: Record<string, unknown> = {};
    itself.again = [itself, itself];
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    const getter = Object.defineProperty({}, 'a', {
      enumerable: true,
      get() {
        throw new Error('getter');
      },
    });
    for (const raw of [itself, trap, getter, { a: 1n }, { a: () => 1 }, { a: Number.NaN }, [], 5, true]) {
      expect(() => parseArguments(raw)).toThrow(expect.objectContaining({ code: 'bad_arguments' }));
    }
  });
});
