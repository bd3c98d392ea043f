import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest, CompletionResult, JsonSchema, ModelDelta } from '../../tools/contract/messages.ts';
import { InterruptedAnswer, type LanguageModel } from '../language-model.ts';
import type { MediaModel } from '../media/media-model.ts';
import { buildRequestBody } from '../request-body.ts';
import { BusyModel, withRetries } from '../retrying.ts';
import { createScriptedModel, type ScriptedReply } from '../testing/scripted-model.ts';
import { maskedModel } from './masked-model.ts';

const never = new AbortController().signal;
const SETTINGS = { baseURL: 'http://127.0.0.1/v1', apiKey: '', model: 'm' };

interface Asked {
  /** The body as the adapter writes it. */
  readonly body: string;
  readonly sent: CompletionRequest;
  readonly deltas: readonly ModelDelta[];
  readonly result: CompletionResult | undefined;
  readonly error: unknown;
}

async function ask(
  fields: readonly unknown[],
  request: CompletionRequest,
  reply: ScriptedReply = 'Yes.',
  enabled: unknown = true,
): Promise<Asked> {
  const inner = createScriptedModel([reply]);
  const deltas: ModelDelta[] = [];
  let result: CompletionResult | undefined;
  let error: unknown;
  try {
    result = await maskedModel(inner, () => ({ enabled, fields })).complete(request, never, (delta) => deltas.push(delta));
  } catch (thrown) {
    error = thrown;
  }
  const sent = inner.requests[0] ?? { messages: [] };
  return {
    body: inner.requests.length ? JSON.stringify(buildRequestBody(SETTINGS, sent, { withUsage: true })) : '',
    sent,
    deltas,
    result,
    error,
  };
}

const user = (content: string): CompletionRequest => ({ messages: [{ role: 'user', content }] });
const shown = (deltas: readonly ModelDelta[], type: 'text' | 'reasoning'): string =>
  deltas.map((delta) => (delta.type === type ? delta.text : '')).join('');
const pieces = (deltas: readonly ModelDelta[]): string =>
  deltas.map((delta) => (delta.type === 'toolCallArgs' ? delta.argumentsDelta : '')).join('');

/** Everything that somebody could read in a text: as it stands, and with each encoding undone, over and over. */
function readings(text: string): string {
  const all = new Set([text]);
  const undo: readonly ((from: string) => string)[] = [
    (from) =>
      from.replace(/\\(?:u([0-9a-f]{4})|(.))/giu, (_all, code: string, letter: string) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[letter] ?? letter),
      ),
    (from) => from.replace(/(?:%[0-9a-f]{2})+/giu, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()),
    (from) =>
      from.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot));/giu, (_all, hex: string, code: string, name: string) =>
        name
          ? ({ amp: '&', lt: '<', gt: '>', quot: '"' }[name.toLowerCase()] ?? '')
          : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(code)),
      ),
    (from) => from.replace(/[\u200b\u00ad]/gu, ''),
    (from) => from.normalize('NFC'),
  ];
  for (const one of all) if (all.size < 200) for (const each of undo) all.add(each(one));
  return [...all].join('\n').toLowerCase();
}
const withoutPlaceholders = (text: string): string => text.replace(/MASK\d+V\d+X/g, '\u0001');

describe('what leaves', () => {
  it('has placeholders by field and value, the same for the same value, in every message, call, tool and option', async () => {
    const { sent } = await ask(['Alice Smith', { match: '/\\d{3}-\\d{4}/', label: 'phone' }, 'Alice'], {
      messages: [
        { role: 'system', content: 'You help alice.' },
        { role: 'user', content: 'Alice Smith, 555-1234 and 555-9999' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'Alice asks',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'alice', arguments: '{"Alice":{"n":[5551234,"555-1234"]}}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"a":"Alice Smith"}' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'alice',
            description: 'of Alice',
            parameters: { type: 'object', properties: { type: { type: 'string', description: 'Alice' } } },
          },
        },
      ],
      chatOption: { user: 'Alice', tool_choice: 'auto', temperature: 1 },
    });
    expect(sent).toEqual({
      tools: [
        {
          type: 'function',
          function: {
            name: 'alice',
            description: 'of MASK3V1X',
            parameters: { type: 'object', properties: { type: { type: 'string', description: 'MASK3V1X' } } },
          },
        },
      ],
      messages: [
        { role: 'system', content: 'You help MASK3V2X.' },
        { role: 'user', content: 'MASK1V1X, MASK2V1X and MASK2V2X' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'MASK3V1X asks',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'alice', arguments: '{"MASK3V1X":{"n":[5551234,"MASK2V1X"]}}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"a":"MASK1V1X"}' },
      ],
      chatOption: { user: 'MASK3V1X', tool_choice: 'auto', temperature: 1 },
    });
  });

  it('has the words of the protocol in options and schemas as they are; texts of people there are masked', async () => {
    const schema = {
      type: 'object',
      properties: { alice: { enum: ['Alice', null], description: 'Alice', default: 'Alice' } },
      required: ['alice'],
    };
    const masked = { ...schema, properties: { alice: { enum: ['Alice', null], description: 'MASK1V1X', default: 'MASK1V1X' } } };
    const call = { type: 'function', function: { name: 'alice' } };
    const chatOption = {
      ...{ model: 'alice', tool_choice: call, reasoning_effort: 'alice', reasoning: { effort: 'alice' } },
      response_format: { type: 'json_schema', json_schema: { name: 'alice', description: 'of Alice', strict: true, schema } },
      ...{ metadata: { name: 'Alice', type: 'Alice', summary: 'Alice' }, user: 'Alice', prediction: { type: 'content', content: 'Alice' } },
    };
    const tool = (parameters: JsonSchema) => ({ type: 'function' as const, function: { name: 'alice', description: '', parameters } });
    const { sent } = await ask(['Alice'], { messages: [{ role: 'user', content: '' }], tools: [tool(schema)], chatOption });
    expect(sent).toMatchObject({
      tools: [tool(masked)],
      chatOption: {
        ...{ model: 'alice', tool_choice: call, reasoning_effort: 'alice', reasoning: { effort: 'alice' } },
        response_format: { type: 'json_schema', json_schema: { name: 'alice', description: 'of MASK1V1X', strict: true, schema: masked } },
        metadata: { name: 'MASK1V1X', type: 'MASK1V1X', summary: 'MASK1V1X' },
        ...{ user: 'MASK1V1X', prediction: { type: 'content', content: 'MASK1V1X' } },
      },
    });
  });

  it('has no signed thoughts that name what is private, and others as they were signed', async () => {
    const thoughts = (text: string) => ({
      thoughts: {
        protocol: 'anthropic-messages',
        model: 'm',
        parts: [{ thought: { type: 'thinking', thinking: text, signature: 'Alice' } }, { call: {} }],
      },
    });
    const call = (id: string, text: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'a', arguments: '{}' },
      extra_fields: thoughts(text),
    });
    const tool_calls = [call('c1', 'I ask Alice.'), call('c2', 'I ask MASK1V1X.')];
    const { sent } = await ask(['Alice'], {
      messages: [
        { role: 'user', content: 'Alice' },
        { role: 'assistant', content: '', tool_calls },
      ],
    });
    const [, answer] = sent.messages;
    const calls = answer?.role === 'assistant' ? answer.tool_calls : [];
    expect(calls?.map(({ extra_fields }) => extra_fields)).toEqual([undefined, thoughts('I ask MASK1V1X.')]);
  });

  it('has what the options of the model itself would add', async () => {
    const inner = createScriptedModel(['Yes.']);
    const model = maskedModel(inner, () => ({ enabled: true, fields: ['Alice'] }), { user: 'Alice' });
    await model.complete(user('hello'), never, () => undefined);
    expect(inner.requests[0]?.chatOption).toEqual({ user: 'MASK1V1X' });
  });

  it('is what a preview shows', async () => {
    const prepare: NonNullable<LanguageModel['prepare']> = async (request) => ({ address: 'http://model', body: JSON.stringify(request) });
    const inner: LanguageModel = { ...createScriptedModel([]), prepare };
    const bodyOf = async (enabled: boolean): Promise<string | undefined> => {
      const masked = maskedModel(inner, () => ({ enabled, fields: ['Alice'] }), { user: 'Alice' });
      return (await masked.prepare?.(user('for Alice'), never))?.body;
    };
    expect(await bodyOf(true)).toBe(JSON.stringify({ ...user('for MASK1V1X'), chatOption: { user: 'MASK1V1X' } }));
    expect(await bodyOf(false)).toBe(JSON.stringify(user('for Alice')));
  });

  it.each([
    ['JSON in a text', 'say "hi" \\ now', (value: string) => JSON.stringify({ a: value })],
    ['JSON in JSON', 'say "hi" \\ now', (value: string) => JSON.stringify({ a: JSON.stringify({ b: value }) })],
    [
      '\\u escapes',
      '王小明',
      (value: string) => value.replace(/./gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['a link', '王小明 & co', encodeURIComponent],
    ['a query', 'Alice Smith', (value: string) => `https://a.b/?q=x&r=${value.replaceAll(' ', '+')}`],
    ['character references', 'A<l&i"ce', (value: string) => value.replace(/[<&"]/gu, (letter) => `&#${letter.charCodeAt(0)};`)],
    ['character references in JSON', 'A<l&i"ce', (value: string) => JSON.stringify(value.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))],
    ['zero-width spaces', 'Alice', (value: string) => [...value].join('\u200b')],
    ['marks of their own', 'Zoë Müller', (value: string) => value.normalize('NFD')],
    [
      'full-width letters',
      '13812345678',
      (value: string) => value.replace(/\d/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
    ],
    ['bold', 'Alice', (value: string) => `see ${value.slice(0, 3)}**${value.slice(3)}** there`],
    ['code and HTML', 'Alice', (value: string) => `*${value[0]}*<b class="x">${value.slice(1, 3)}</b>\`${value.slice(3)}\``],
    ['lines', 'one\ntwo', (value: string) => JSON.stringify([value])],
  ])('finds a word in %s', async (_where, value, encode) => {
    const content = `before ${encode(value)} after`;
    const { sent, result } = await ask([value], user(content), (request) => request.messages[0]?.content ?? '');
    expect(sent.messages[0]?.content).toContain('MASK1V1X');
    expect(readings(sent.messages[0]?.content ?? '')).not.toContain(value.toLowerCase());
    expect(result?.content).toBe(content);
  });

  it('finds what an expression means in an encoding, too', async () => {
    const { body } = await ask(['/key: "[a-z]+"/i'], user(JSON.stringify({ text: 'the KEY: "secret" is' })));
    expect(body).not.toContain('secret');
  });

  it('has nothing of what several fields find in part', async () => {
    const { body } = await ask(['Alice Smith', '/Smith \\d+/'], user('by Alice Smith 4711 today'));
    expect(body).toContain('by MASK1V1X today');
  });

  it('is a text for a number in arguments, so that they stay JSON', async () => {
    const call = {
      id: 'c1',
      type: 'function' as const,
      function: { name: 'pay', arguments: '{"amount": 12345, "n": 123456789.0123456789, "m": 2}' },
    };
    const { sent } = await ask(['/\\d{5}/'], { messages: [{ role: 'assistant', content: '', tool_calls: [call] }] });
    expect(JSON.stringify(sent)).toContain(JSON.stringify('{"amount": "MASK1V1X", "n": "MASK1V1X6789.MASK1V2XMASK1V3X", "m": 2}'));
  });

  it('masks a text that looks like a placeholder, and gives it back', async () => {
    const content = 'Alice, MASK1V1X, mask 1 v 1 x and mask1';
    const { sent, result } = await ask(['Alice'], user(content), (request) => request.messages[0]?.content ?? '');
    expect(sent.messages[0]?.content).toBe('MASK1V1X, MASK0V1X, MASK0V2X and mask1');
    expect(result?.content).toBe(content);
  });

  it('keeps the bytes of pictures and sound', async () => {
    const bytes = 'Alice'.repeat(50);
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes}` } },
      { type: 'input_audio', input_audio: { data: bytes, format: 'wav' } },
      { type: 'image_url', image_url: { url: 'data:text/plain;base64,, Alice' } },
      { type: 'text', text: 'Alice' },
    ];
    const request = { messages: [{ role: 'user', content }] } as unknown as CompletionRequest;
    const sent = JSON.parse(JSON.stringify((await ask(['Alice'], request)).sent.messages[0]?.content));
    expect(sent.slice(0, 2)).toEqual(content.slice(0, 2));
    expect(JSON.stringify(sent.slice(2))).not.toContain('Alice');
  });

  it('is the request as it is while masking is off or has no fields', async () => {
    for (const [fields, enabled] of [
      [['Alice'], false],
      [[], true],
    ] as const)
      expect((await ask(fields, user('Alice'), 'Yes.', enabled)).sent).toEqual(user('Alice'));
  });

  it.each([
    ['/(/', 'no regular expression'],
    ['/(?<=a)b/', 'looks ahead'],
    ['/(a)\\1/', 'refers back'],
    ['/a*/', 'matches an empty text'],
    ['/a/y', 'flags'],
    ['  ', 'empty'],
    [7, 'no text'],
    [{ label: 'x' }, 'no text'],
  ])('is nothing while a field cannot be used: %j', async (field, words) => {
    const { error, body } = await ask(['Alice', field], user('Alice'));
    expect(body).toBe('');
    expect(error).toMatchObject({
      code: 'privacy_invalid',
      message: expect.stringContaining(words),
      next: expect.stringContaining('settings'),
    });
    expect(String(error)).toContain('field 2');
  });

  it.each(['yes', 1, null])('is nothing while it is not clear whether masking is on: %j', async (enabled) => {
    expect(await ask([], user('Alice'), 'Yes.', enabled)).toMatchObject({ body: '', error: { code: 'privacy_invalid' } });
  });

  it('ends for expressions that never end elsewhere', async () => {
    const { sent } = await ask(['/(a+)+$/', '/(x|x)*y/'], user(`${'a'.repeat(30_000)}!${'x'.repeat(30_000)}`));
    expect(sent.messages).toHaveLength(1);
  });
});

describe('what comes back', () => {
  it('has the values in text, reasoning and arguments, in the case and spacing that models make of placeholders', async () => {
    const said = 'mask1v1x, MASK 1 V 1 X, MASK\\_1\\_V\\_1\\_X, MASK1V1X; unknown MASK1V9X';
    const { result, deltas } = await ask(['Alice'], user('Alice'), {
      text: said,
      reasoning: said,
      chunk: 1,
      calls: [{ name: 'write', arguments: '{"MASK1V1X":"mask1v1x"}' }],
    });
    const meant = 'Alice, Alice, Alice, Alice; unknown MASK1V9X';
    expect(result).toMatchObject({ content: meant, reasoning: meant, tool_calls: [{ function: { arguments: '{"Alice":"Alice"}' } }] });
    expect([shown(deltas, 'text'), shown(deltas, 'reasoning'), pieces(deltas)]).toEqual([meant, meant, '{"Alice":"Alice"}']);
  });

  it('is valid JSON in arguments, however deep', async () => {
    const value = 'say "hi" \\ and\nbye';
    const nested = JSON.stringify({
      text: 'MASK1V1X',
      inner: JSON.stringify({ deep: JSON.stringify({ text: 'MASK1V1X' }, null, 2) }),
      prose: 'he said "MASK1V1X"',
    });
    const { result } = await ask([value], user(value), { calls: [{ name: 'write', arguments: nested }] });
    const run = JSON.parse(result?.tool_calls[0]?.function.arguments ?? '');
    expect(run.text).toBe(value);
    expect(run.prose).toBe(`he said "${value}"`);
    expect(JSON.parse(run.inner).deep).toBe(JSON.stringify({ text: value }, null, 2));
  });

  it('is written with JSON escapes in arguments that are not quite JSON', async () => {
    const { result } = await ask(['say "hi"'], user('say "hi"'), { calls: [{ name: 'write', arguments: '{"text": "MASK1V1X",}' }] });
    expect(result?.tool_calls[0]?.function.arguments).toBe('{"text": "say \\"hi\\"",}');
  });

  it('is written with JSON escapes where it stood with them: once, not twice', async () => {
    const value = 'say "hi"';
    const args = JSON.stringify({ text: JSON.stringify({ a: value }), plain: value });
    const call = { id: 'call-0001', type: 'function' as const, function: { name: 'w', arguments: args } };
    const { result, sent } = await ask(
      [value],
      { messages: [{ role: 'assistant', content: '', tool_calls: [call] }] },
      ({ messages: [first] }) => ({
        calls: [{ name: 'w', arguments: first?.role === 'assistant' ? (first.tool_calls?.[0]?.function.arguments ?? '') : '' }],
      }),
    );
    expect(JSON.stringify(sent)).not.toContain('hi');
    expect(result?.tool_calls[0]?.function.arguments).toBe(args);
  });

  it('never shows a placeholder in half: the end is held back, and released when the answer ends there', async () => {
    const { deltas } = await ask(['Alice'], user('Alice'), { text: 'It is MASK1V1X from MASK1V', chunk: 1 });
    const states = deltas.flatMap((delta, index) => (delta.type === 'text' ? [shown(deltas.slice(0, index + 1), 'text')] : []));
    expect(states.filter((text) => /mask/i.test(text))).toEqual(['It is Alice from MASK1V']);
  });

  it('is released when the request is stopped, while somebody still listens', async () => {
    const stop = new AbortController();
    const heard: ModelDelta[] = [];
    let listening = true;
    const inner: LanguageModel = {
      label: 'm',
      model: 'm',
      complete: async (_request, signal, onDelta) => {
        onDelta({ type: 'text', text: 'from MASK1' });
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new ToolError('aborted', 'stopped', ''))));
      },
    };
    const asked = maskedModel(inner, () => ({ enabled: true, fields: ['Alice'] })).complete(user('Alice'), stop.signal, (delta) => {
      if (listening) heard.push(delta);
    });
    await expect.poll(() => heard.length).toBe(1);
    stop.abort();
    listening = false;
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    expect(shown(heard, 'text')).toBe('from MASK1');
  });

  it('is in errors and in what had arrived before one', async () => {
    const partial: CompletionResult = { content: 'MASK1V1X is', tool_calls: [], finishReason: 'unknown' };
    const broken = await ask(['Alice'], user('Alice'), { error: new InterruptedAnswer('MASK1V1X broke', 'again', partial, 'MASK1V1X') });
    expect(broken.error).toMatchObject({ message: 'Alice broke', detail: 'Alice', partial: { content: 'Alice is' } });
    const refused = await ask(['Alice'], user('Alice'), { error: new ToolError('model_bad_request', 'no MASK1V1X', 'without MASK1V1X') });
    expect(refused.error).toMatchObject({ code: 'model_bad_request', message: 'no Alice', next: 'without Alice' });
  });
});

describe('pictures and speech', () => {
  const media = (log: unknown[]): MediaModel => {
    const file = { name: 'a.mp3', mime: 'audio/mpeg', bytes: new Uint8Array() };
    const note = <T>(result: T, ...args: readonly unknown[]): T => {
      log.push(args);
      return result;
    };
    return {
      generateImages: async (prompt, options) => note({ pictures: [file] }, prompt, options),
      editImages: async (prompt, [picture], options) => note({ pictures: [file] }, prompt, picture?.name, options),
      transcribe: async (recording, options) => note({ text: 'mask1v1x spoke' }, recording.name, options),
      speak: async (text, options) => {
        log.push([text, options]);
        throw new ToolError('model_bad_request', `cannot say ${text}`, 'again');
      },
    };
  };

  it('get placeholders in prompts, names of files and options; transcripts and errors have the values', async () => {
    const log: unknown[] = [];
    const masked = maskedModel({ ...createScriptedModel([]), media: media(log) }, () => ({ enabled: true, fields: ['Alice'] })).media;
    const file = { name: 'Alice.png', mime: 'image/png', bytes: new Uint8Array() };
    await masked?.generateImages('draw Alice', { user: 'Alice' }, never);
    await masked?.editImages('more Alice', [file], {}, never);
    expect(await masked?.transcribe(file, { prompt: 'Alice' }, never)).toEqual({ text: 'Alice spoke' });
    await expect(masked?.speak('Alice', { voice: 'Alice' }, never)).rejects.toMatchObject({ message: 'cannot say …' });
    expect(log).toEqual([
      ['draw MASK1V1X', { user: 'MASK1V1X' }],
      ['more MASK1V1X', 'MASK1V1X.png', {}],
      ['MASK1V1X.png', { prompt: 'MASK1V1X' }],
      ['…', { voice: 'MASK1V1X' }],
    ]);
  });

  it('get nothing while a field cannot be used', async () => {
    const log: unknown[] = [];
    const masked = maskedModel({ ...createScriptedModel([]), media: media(log) }, () => ({ enabled: true, fields: ['/(/'] })).media;
    await expect(masked?.generateImages('x', {}, never)).rejects.toMatchObject({ code: 'privacy_invalid' });
    expect(log).toEqual([]);
  });
});

describe('properties', () => {
  const value = fc.oneof(
    fc.constantFrom('Alice', '王小明', 'say "hi"', 'C:\\new', 'a&b<c', 'Zoë', '𝄞 note', 'two\nlines', 'x+y z', '100%25', 'MASK', 'ask1'),
    fc.string({ unit: 'grapheme', minLength: 2, maxLength: 8 }),
  );
  const encode = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => (text.toUpperCase().toLowerCase() === text.toLowerCase() ? text.toUpperCase() : text),
    (text) => JSON.stringify({ text }),
    (text) => JSON.stringify(JSON.stringify([text])),
    (text) => encodeURIComponent(text.toWellFormed()),
    (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    (text) => text.normalize('NFD'),
    (text) => [...text].join('\u200b'),
  );
  const noise = fc.oneof(
    fc.constantFrom('MASK1V1X', 'mask', 'MASK1', 'V1X', ' 1x', '\\', '%', '&', '"', '\n'),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );

  it('no masked value is in any byte that leaves, and what is shown and run is the original, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 3 }).filter((all) => all.every((one) => one.trim() === one && !one.startsWith('/'))),
        fc.array(fc.tuple(noise, fc.nat(), encode), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        async (values, parts, chunk) => {
          const content = parts.map(([before, which, encoded]) => before + encoded(values[which % values.length] ?? '')).join(' ');
          const run = { text: content, [content]: [content] };
          const call = { id: 'call-0001', type: 'function' as const, function: { name: 'w', arguments: JSON.stringify(run) } };
          const request: CompletionRequest = {
            messages: [
              { role: 'user', content },
              { role: 'assistant', content: '', tool_calls: [call] },
              { role: 'tool', tool_call_id: call.id, content },
            ],
          };
          const { sent, result, deltas } = await ask(values, request, ({ messages }) => {
            const [first, second] = messages;
            const args = second?.role === 'assistant' ? (second.tool_calls?.[0]?.function.arguments ?? '') : '';
            return { text: first?.content ?? '', reasoning: first?.content ?? '', chunk, calls: [{ name: 'w', arguments: args }] };
          });
          const left = sent.messages.flatMap((message) => [
            message.content,
            ...(message.role === 'assistant' ? (message.tool_calls ?? []).map((each) => each.function.arguments) : []),
          ]);
          for (const one of values) {
            for (const text of left) {
              expect(withoutPlaceholders(text)).not.toContain(one);
              expect(withoutPlaceholders(text)).not.toContain(JSON.stringify(one).slice(1, -1));
            }
          }
          expect(result?.content).toBe(content);
          expect([shown(deltas, 'text'), shown(deltas, 'reasoning')]).toEqual([content, content]);
          expect(JSON.parse(result?.tool_calls[0]?.function.arguments ?? '')).toEqual(run);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a provider that is busy', () => {
  it('is asked again while something is masked, too', async () => {
    let asked = 0;
    const inner: LanguageModel = {
      ...createScriptedModel([]),
      complete: async () => {
        asked += 1;
        if (asked === 1) throw new BusyModel('model_rate_limited', 'too many requests of MASK1V1X', 'wait', 7);
        return { content: 'Hello MASK1V1X', tool_calls: [], finishReason: 'stop' };
      },
    };
    const masked = maskedModel(inner, () => ({ enabled: true, fields: ['Alice'] }));
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const retry = withRetries({ retries: () => 3, wait, now: () => 1, random: () => 0.5 });
    const deltas: ModelDelta[] = [];
    expect(
      (
        await retry(
          () => masked.complete(user('Alice?'), never, () => undefined),
          never,
          (delta) => deltas.push(delta),
        )
      ).content,
    ).toBe('Hello Alice');
    expect(waits).toEqual([7000]);
    expect(deltas).toMatchObject([{ type: 'retry', error: { message: 'too many requests of Alice' } }]);
  });
});
