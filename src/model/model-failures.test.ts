import { describe, expect, it } from 'vitest';
import type { ToolError } from '../tools/contract/errors.ts';
import { createOpenAIModel } from './openai-model.ts';
import { BusyModel } from './retrying.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

async function failure({ status = 200, type = 'application/json', body }: Answer): Promise<ToolError> {
  const fetch = async () => new Response(body, { status, headers: { 'content-type': type } });
  const model = createOpenAIModel({ baseURL: 'https://host.test/v1', apiKey: 'sk-test-123456', model: 'm', fetch });
  return model
    .complete({ messages: [{ role: 'user', content: 'hi' }] }, new AbortController().signal, () => undefined)
    .then(
      () => Promise.reject(new Error('it answered')),
      (error: ToolError) => error,
    );
}
const json = (value: unknown): string => JSON.stringify(value);
const event = (value: unknown): string => `data: ${json(value)}\n\n`;
const half = event({ choices: [{ index: 0, delta: { content: 'Half' } }] });

describe('a failure in any clothing says what the provider says', () => {
  const words = 'No seats left';
  it.each<[string, Answer]>([
    ['an object with the status of success', { body: json({ error: { message: words } }) }],
    ['its text', { body: json({ error: words }) }],
    ['a code and words', { body: json({ code: 20_015, message: words, data: null }) }],
    ['no success', { body: json({ success: false, msg: words }) }],
    ['a state beside it', { body: json({ choices: null, base_resp: { status_code: 2013, status_msg: words } }) }],
    ['an old vLLM', { body: json({ object: 'error', message: words, code: 40_303 }) }],
    ['Anthropic', { body: json({ type: 'error', error: { type: 'odd_error', message: words } }) }],
    ['Baidu', { body: json({ error_code: 1, error_msg: words }) }],
    ['Tencent', { body: json({ Response: { Error: { Code: 'Odd', Message: words }, RequestId: 'x' } }) }],
    ['a list', { body: json([{ error: { message: words } }]) }],
    ['a list, refused', { status: 400, body: json([{ error: { message: words } }]) }],
    ['FastAPI', { status: 422, body: json({ detail: [{ loc: ['body'], msg: words, type: 'odd' }] }) }],
    ['FastAPI, in a word', { status: 400, body: json({ detail: words }) }],
    [
      'words within words',
      {
        status: 400,
        body: json({ error: { message: 'Provider returned error', metadata: { raw: json({ error: { message: words } }) } } }),
      },
    ],
    ['raw text', { status: 400, body: json({ error: { message: 'Provider returned error', metadata: { raw: words } } }) }],
    ['JSON behind words', { status: 400, body: json({ error: { message: `BadRequest: 400 - ${json({ error: { message: words } })}` } }) }],
    ['plain text', { status: 400, type: 'text/plain', body: words }],
    [
      'a web page',
      {
        status: 400,
        type: 'text/html',
        body: `<html><head><title>400</title><style>b{}</style></head><body><h1>${words}</h1></body></html>`,
      },
    ],
    ['a web page with the status of success', { type: 'text/html', body: `<!DOCTYPE html><title>${words}</title>` }],
    ['an event', { type: 'text/event-stream', body: event({ error: { message: words } }) }],
    ['an event of its own kind', { type: 'text/event-stream', body: `event: error\ndata: ${json({ message: words })}\n\n` }],
    ['an event of its own kind, in words', { type: 'text/event-stream', body: `event: error\ndata: ${words}\n\n` }],
    ['an event in words', { type: 'text/event-stream', body: `data: ${words}\n\n` }],
    ['bare JSON on a stream', { type: 'text/event-stream', body: json({ error: { message: words } }) }],
    ['bare JSON over several lines', { type: 'text/event-stream', body: JSON.stringify({ error: { message: words } }, null, 2) }],
    ['bare JSON behind events', { type: 'text/event-stream', body: `${half}${json({ error: { message: words } })}\n` }],
    ['a web page on a stream', { type: 'text/event-stream', body: `<html><body>${words}</body></html>` }],
    ['a choice', { type: 'text/event-stream', body: event({ choices: [{ error: { code: 1, message: words }, finish_reason: 'error' }] }) }],
    ['a delta', { type: 'text/event-stream', body: event({ choices: [{ delta: { error: { message: words } } }] }) }],
    ['an event in the middle', { type: 'text/event-stream', body: half + event({ error: { message: words } }) }],
    [
      'a choice in the middle',
      { type: 'text/event-stream', body: half + event({ choices: [{ delta: {}, error: { message: words }, finish_reason: 'error' }] }) },
    ],
  ])('%s', async (_name, answer) => {
    const error = await failure(answer);
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/[{}<>]/);
  });

  it('and never the key', async () => {
    expect((await failure({ status: 400, body: json([{ error: { message: 'no sk-test-123456' } }]) })).message).not.toContain('123456');
  });

  it('a reason of its end that is a failure breaks it off', async () => {
    const body = `${half}${event({ choices: [{ delta: {}, finish_reason: 'error' }] })}data: [DONE]\n\n`;
    expect(await failure({ type: 'text/event-stream', body })).toMatchObject({ code: 'model_interrupted', partial: { content: 'Half' } });
  });

  it('an empty reason of an end is none', async () => {
    const piece = event({ choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: '' }] });
    expect(await failure({ type: 'text/event-stream', body: piece + piece })).toMatchObject({ code: 'model_interrupted' });
  });
});

describe('what helps is what it means', () => {
  it.each<[number | undefined, unknown, string]>([
    [undefined, { code: 429, message: 'Too fast' }, 'model_rate_limited'],
    [undefined, { code: '429', message: 'Too fast' }, 'model_rate_limited'],
    [undefined, { type: 'rate_limit_error', message: 'Slow' }, 'model_rate_limited'],
    [undefined, { code: 502, message: 'Upstream' }, 'model_server_error'],
    [undefined, { code: 503, message: 'None free' }, 'model_server_error'],
    [undefined, { type: 'overloaded_error', message: 'Overloaded' }, 'model_server_error'],
    [undefined, { type: 'api_error', message: 'Odd' }, 'model_server_error'],
    [undefined, { code: 401, message: 'Who?' }, 'model_unauthorized'],
    [undefined, { code: 'invalid_api_key', message: 'Wrong' }, 'model_unauthorized'],
    [undefined, { code: 402, message: 'Pay' }, 'model_no_credit'],
    [
      429,
      { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota. Please retry in 31.5s.' },
      'model_rate_limited',
    ],
    [429, { code: 'insufficient_quota', message: 'You exceeded your current quota' }, 'model_no_credit'],
    [429, { code: '1113', message: '账户余额不足，请先充值' }, 'model_no_credit'],
    [429, { code: '1302', message: '您当前使用该API的并发数过高' }, 'model_rate_limited'],
    [403, { code: 'Arrearage', message: 'make sure your account is in good standing' }, 'model_no_credit'],
    [403, { message: '余额已用完' }, 'model_no_credit'],
    [403, { message: '用户额度不足', code: 'insufficient_user_quota' }, 'model_no_credit'],
    [400, { message: 'Your credit balance is too low' }, 'model_no_credit'],
    [500, { message: '当前负载过高，请稍后再试' }, 'model_server_error'],
    [400, { message: 'API key not valid' }, 'model_unauthorized'],
    [401, { message: '无效的令牌' }, 'model_unauthorized'],
    [403, { message: 'The input was flagged', metadata: { reasons: ['violence'] } }, 'model_filtered'],
    [400, { code: 'content_filter', message: 'The prompt triggered the policy' }, 'model_filtered'],
    [400, { code: 'DataInspectionFailed', message: 'Input may contain inappropriate content.' }, 'model_filtered'],
    [400, { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' }, 'model_filtered'],
    [400, { message: 'Range of input length should be [1, 30720]' }, 'model_context_overflow'],
    [400, { message: 'Your request exceeded model token limit: 32768' }, 'model_context_overflow'],
    [400, { code: '1261', message: 'Prompt 超长' }, 'model_context_overflow'],
    [400, { message: '输入内容过长，超过模型最大上下文' }, 'model_context_overflow'],
    [400, { message: '对话长度超出限制' }, 'model_context_overflow'],
    [400, { code: 20_015, message: 'length of prompt_tokens (9000) must be less than max_seq_len (8192).' }, 'model_context_overflow'],
    [400, { message: 'Total tokens of image and text exceed max message tokens.' }, 'model_context_overflow'],
    [400, { message: 'the request exceeds the available context size, try increasing it' }, 'model_context_overflow'],
    [400, { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' }, 'model_context_overflow'],
    [400, { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' }, 'model_context_overflow'],
    [
      413,
      { code: 'tokens_limit_reached', message: 'Request body too large for the model. Max size: 8000 tokens.' },
      'model_context_overflow',
    ],
    [500, { message: 'the request exceeds the available context size' }, 'model_context_overflow'],
    [400, { message: 'max_tokens 参数非法' }, 'model_bad_request'],
    [400, { message: 'Failed to parse grammar' }, 'model_schema_refused'],
    [400, { message: 'failed to convert json schema to grammar' }, 'model_schema_refused'],
    [400, { message: "Invalid schema for function 'search': unsupported keyword" }, 'model_schema_refused'],
    [400, { message: 'tool schema is not supported' }, 'model_schema_refused'],
    [400, { message: 'Unsupported keyword maxLength in tools' }, 'model_schema_refused'],
    [500, { message: 'parse: error parsing grammar: number of repetitions exceeds sane defaults' }, 'model_schema_refused'],
    [400, { message: 'JSON schema conversion failed: Pattern must start with ^ and end with $' }, 'model_schema_refused'],
    [400, { message: 'unknown escape at \\d in tools' }, 'model_schema_refused'],
    [400, { message: 'tools[0].function.parameters: additionalProperties is not supported' }, 'model_schema_refused'],
    [
      400,
      {
        message: "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 140 instead.",
        code: 'array_above_max_length',
      },
      'model_schema_refused',
    ],
    [400, { message: 'Too many tools provided: 130. The maximum is 128.' }, 'model_schema_refused'],
    [400, { message: 'You may not include more than 128 tools in your request.' }, 'model_schema_refused'],
    [400, { message: 'The maximum number of functions is 64' }, 'model_schema_refused'],
    [400, { message: '`tools` : maximum number of items is 128' }, 'model_schema_refused'],
    [400, { message: 'tools: List should have at most 128 items after validation, not 140' }, 'model_schema_refused'],
    [400, { message: 'Request has 140 tools, which is above the limit of 128' }, 'model_schema_refused'],
    [422, { message: 'The number of tools exceeds the maximum allowed (20)' }, 'model_schema_refused'],
    [undefined, { message: '工具数量超出限制，最多 128 个' }, 'model_schema_refused'],
    [400, { message: 'tools 数量过多' }, 'model_schema_refused'],
    [400, { message: '最多支持 20 个工具' }, 'model_schema_refused'],
    [400, { message: 'max_tokens must be set when tools are used' }, 'model_bad_request'],
    [400, { message: "Invalid 'messages[3].tool_calls': array too long. Expected an array with maximum length 128." }, 'model_bad_request'],
    [400, { message: 'Too many tokens in the input: use fewer tools' }, 'model_context_overflow'],
    [400, { message: '该模型不支持工具调用' }, 'model_no_tools'],
    [404, { message: '模型不存在' }, 'model_not_found'],
    [400, { message: 'Unexpected token in JSON' }, 'model_bad_request'],
  ])('%s %j', async (status, error, code) => {
    const failed = await failure(
      status === undefined ? { type: 'text/event-stream', body: event({ error }) } : { status, body: json({ error }) },
    );
    expect(failed.code).toBe(code);
  });

  it('waits as long as the words say', async () => {
    const wait = async (message: string) => {
      const error = await failure({ status: 429, body: json({ error: { message } }) });
      return error instanceof BusyModel ? error.retryAfter : undefined;
    };
    expect(await wait('Rate limit reached. Please try again in 1m30.5s.')).toBe(91);
    expect(await wait('Rate limit reached. Please try again in 250ms.')).toBe(1);
    expect(await wait('请求过于频繁，请等待 20 秒')).toBe(20);
    expect(await wait('Rate limit reached')).toBeNull();
  });
});

describe('a connection that breaks before any of the answer', () => {
  const failing = async (code: string, when: 'at once' | 'behind the head') => {
    const reset = new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code }) });
    const body = () => new ReadableStream({ start: (controller) => controller.error(reset) });
    const fetch = async () => {
      if (when === 'at once') throw reset;
      return new Response(body(), { headers: { 'content-type': 'text/event-stream' } });
    };
    const model = createOpenAIModel({ baseURL: 'https://host.test/v1', apiKey: 'sk-test-123456', model: 'm', fetch });
    const request = { messages: [{ role: 'user' as const, content: 'hi' }] };
    return model.complete(request, new AbortController().signal, () => undefined).catch((error: unknown) => error);
  };

  it.each(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'])('is asked again, as one that is busy is: %s', async (code) => {
    for (const when of ['at once', 'behind the head'] as const) {
      const error = await failing(code, when);
      expect(error).toBeInstanceOf(BusyModel);
      expect(error).toMatchObject({ code: 'model_unreachable', message: expect.stringContaining(`was reset (${code})`), retryAfter: null });
    }
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND'])('is not where nobody is there: %s', async (code) => {
    expect(await failing(code, 'at once')).not.toBeInstanceOf(BusyModel);
  });
});
