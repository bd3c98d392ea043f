import { APIConnectionError, APIError } from 'openai';
import { ToolError } from '../tools/contract/errors.ts';
import { NotAnAnswer } from './answer/answer-stream.ts';
import { type FailureWords, plainText, readFailure } from './failure-words.ts';
import type { ModelSettings } from './language-model.ts';
import { BusyModel } from './retrying.ts';

type FailureKind = 'credit' | 'limit' | 'busy' | 'key' | 'filter' | 'overflow' | 'tools' | 'schema' | 'vision' | 'model' | 'other';

const OVERFLOW = [
  /context.{0,20}(?:length|window|size)|(?:maximum|max).{0,20}(?:context|(?:input|prompt|message)[ _-]?(?:tokens?|length|characters|size))|maximum.{0,20}tokens/i,
  /too many (?:input |prompt )?tokens|exceed.{0,40}(?:context|token[_ ]limit|max_seq_len|maximum number of tokens|max (?:message |input )?tokens)/i,
  /(?:prompt|input|message|conversation|request)s?(?: body)? (?:is |are |was )?too (?:long|large|big)|(?:prompt|input) length|max_seq_len|tokens?_limit_reached|string_above_max_length/i,
  /range of input length|reduce (?:the |your )?(?:length|message|prompt|input)|(?:input|prompt)[ _]tokens?.{0,20}(?:exceed|over|more than|larger|greater)|context_length_exceeded|exceed_context_size/i,
  /(?:超过|超出|大于).{0,20}(?:上下文|最大长度|长度限制|token)|(?:上下文|输入|prompt|提示词?|请求|消息|对话|内容|文本|messages?).{0,16}(?:超长|过长|太长|超限|超出|超过|长度)|tokens?.{0,12}(?:超|过多|太多|上限|限制)|字数.{0,8}(?:超|过多)/i,
];
/** Codes of services that say little else. */
const OVERFLOW_CODES = /(?:^| )(?:1261|1210_too_long|336007|336103|10907|1039|request_too_large|tokens_limit_reached)(?: |$)/;
/** About the requested length of the answer, unless the words also mention the conversation. */
const OF_THE_ANSWER = /max_(?:completion_|output_)?tokens|(?:completion|output) tokens/i;
const OF_THE_CHAT = /context|prompt|input|messages|输入|上下文/i;
/** Words of Ollama, OpenAI and Groq; DeepSeek and Mistral; llama.cpp, vLLM and OpenRouter; strict servers. */
const NO_TOOLS = [
  /(?:not|n't) support.{0,20}(?:tools?|function)|tools?.{0,20}(?:not|un)\s?supported/i,
  /(?:function|tool).?call\w*.{0,20}(?:not|un)\s?(?:supported|enabled|available)/i,
  /tools? (?:param|choice) requires|support tool use/i,
  /(?:unrecognized|unknown|unexpected|extra)[^.]{0,60}\b(?:tools|functions)\b|\btools\b[^.]{0,40}(?:extra inputs|not (?:permitted|allowed))/i,
  /不支持.{0,12}(?:工具|函数|tools?\b|function)|(?:工具|函数).{0,8}(?:调用)?.{0,6}不(?:支持|可用)/i,
];
const BAD_SCHEMA =
  /(?:failed|unable|cannot|could not|error).{0,40}grammar|grammar.{0,40}(?:fail|invalid|error|parse)|json.?schema.{0,60}(?:unsupported|not supported|invalid|fail|unrecognized|convert)|(?:invalid|unsupported|unrecognized).{0,30}(?:json.?)?schema|invalid (?:function|tool).{0,40}(?:schema|parameters)|function_declarations|tool schema|\b(?:max|min)(?:Length|Items|Properties)\b|additionalProperties|number of repetitions|(?:unable|failed|invalid|unsupported|unknown|must).{0,30}(?:pattern|regex|escape)|pattern (?:must|is )|tools?[.[]\d+\]?[.\w]*(?:parameters|input_schema|function)/i;
/** Refusals of too many tools: fewer help, and so do simpler ones. */
const TOO_MANY_TOOLS = [
  /(?:too many|(?:more|fewer|less) than|at most|up to|limit of|max(?:imum)?(?: number)?(?: of)?|exceed\w*) (?:\d+ )?(?:tools|functions|(?:tool|function) (?:definitions|declarations))\b/i,
  /(?:number of|\d+) (?:tools|functions|(?:tool|function) (?:definitions|declarations))\b.{0,40}(?:too|max|limit|exceed|more than|above)/i,
  /\b(?:tools|functions)\b[^.]{0,20}(?:array (?:is )?too (?:long|large)|too many|max(?:imum)? (?:number|items|length)|(?:at most|more than|up to) \d+ items)/i,
  /(?:工具|函数|\btools\b|\bfunctions\b).{0,6}(?:数量|数目|个数|总数).{0,8}(?:超|过多|太多|上限|限制)|(?:最多|不(?:能|可|得)?超过).{0,12}个(?:工具|函数)|(?:工具|函数)(?:过|太)多/i,
];
/** An option of calls is not calls. */
const OF_CALLS = /tool_choice|parallel_tool_calls/i;
/** Words of OpenAI, DeepSeek, Ollama, vLLM and OpenRouter. */
const NO_VISION =
  /image_url|image.{0,20}(?:not|un)\s?supported|(?:not|n't) (?:support|accept).{0,20}(?:image|vision|multi-?modal)|no.{0,40}support.{0,10}image|missing data required for image|not a multimodal model|不支持.{0,6}(?:图片|图像|视觉|多模态)/i;
const NO_MODEL =
  /model.{0,60}(?:not found|does not exist|not exist|unknown)|(?:unknown|no such|invalid) model|model_not_found|模型.{0,30}(?:不存在|未找到|不可用)|无可用渠道|no available channel/i;
const NO_CREDIT =
  /insufficient_(?:user_)?quota|exceeded.{0,10}current.{0,3}quota|insufficient.{0,16}(?:balance|credit|funds|quota)|(?:balance|credits?|quota).{0,30}(?:insufficient|too low|not enough|exhausted|depleted|used up)|payment required|billing|arrear|overdue|out of credits|(?:no|more|add) credits|free.?tier.?only|hard limit|余额|欠费|充值|额度.{0,8}(?:不足|用尽|用完|耗尽|已用)|配额.{0,6}(?:用尽|用完|耗尽|不足)|资源包|预扣费/i;
const CREDIT_CODES = /(?:^| )(?:1113|30001|1008|insufficient_balance)(?: |$)/;
/** A quota per period, which recovers by itself. */
const OF_A_TIME = /retryinfo|retry.?delay|(?:retry|try again).{0,20}\d|per.?(?:minute|second|hour|day)|\b[rt]p[mds]\b|rate.?limit/i;
const LIMITED =
  /rate.?limit|too many requests|throttl|resource_exhausted|limit_requests|requests? per (?:minute|second|day)|(?:请求|访问|调用).{0,6}(?:过于?频繁|过快|太多|频率)|限流|频率.{0,4}限制|并发.{0,8}(?:超|限|过高|上限)/i;
const LIMIT_CODES = /(?:^| )(?:429|1302|1303|1305|1002|336501|336502|18)(?: |$)/;
const BUSY =
  /overload|server_error|internal.{0,6}(?:server )?error|\bapi_error\b|unavailable|bad gateway|gateway time-?out|engine.{0,20}(?:busy|starting)|(?:server|service|system|model) (?:is )?(?:currently )?(?:busy|down|loading)|try again later|服务.{0,6}(?:繁忙|不可用|异常|过载)|系统.{0,4}(?:繁忙|异常|错误)|过载|稍后(?:再试|重试)|负载.{0,6}(?:过高|饱和)/i;
const KEY =
  /(?:invalid|incorrect|wrong|missing|expired|no|bad).{0,20}(?:api.?key|(?:access|auth|bearer|api)[ _-]?token|credentials)|token (?:is )?(?:expired|invalid)|api.?key.{0,30}(?:invalid|not valid|incorrect|expired|required|missing)|invalid_api_key|authentication|unauthori[sz]ed|unauthenticated|(?:密钥|令牌|api.?key|鉴权|认证|身份验证).{0,12}(?:无效|错误|失败|过期|不正确|不存在)|无效的?.{0,6}(?:密钥|令牌|api.?key)/i;
const FILTER =
  /content_?(?:filter|policy)|data_?inspection|responsible_?ai|moderation|flagged|safety (?:system|filter|polic)|sensitive (?:content|words)|inappropriate content|内容安全|敏感(?:词|内容|信息)|违规|不合规|审核(?:不通过|未通过)|安全审查/i;
const FILTER_CODES = /(?:^| )(?:1301|1026|1027|content_filter)(?: |$)/;

const overflows = ({ words, marks }: FailureWords): boolean =>
  OVERFLOW_CODES.test(marks) ||
  /context_length_exceeded/.test(marks) ||
  (OVERFLOW.some((pattern) => pattern.test(words)) && (!OF_THE_ANSWER.test(words) || OF_THE_CHAT.test(words.replace(OF_THE_ANSWER, ''))));

const lacksCredit = (all: string, marks: string): boolean =>
  /insufficient_quota/.test(marks) || ((NO_CREDIT.test(all) || CREDIT_CODES.test(marks)) && !OF_A_TIME.test(all));

/** Failures that a shorter request, less in it, or another model would avoid. */
function ofTheRequest(failure: FailureWords): FailureKind {
  const { words } = failure;
  if (!OF_CALLS.test(words) && TOO_MANY_TOOLS.some((pattern) => pattern.test(words))) return 'schema';
  if (overflows(failure)) return 'overflow';
  // A schema first: one that is "not supported" says nothing of tools.
  if (!OF_CALLS.test(words) && BAD_SCHEMA.test(words)) return 'schema';
  if (!OF_CALLS.test(words) && NO_TOOLS.some((pattern) => pattern.test(words))) return 'tools';
  if (NO_VISION.test(words)) return 'vision';
  return NO_MODEL.test(`${words} ${failure.marks}`) ? 'model' : 'other';
}

/** A key is wrong, unless the words say that something else is. */
function ofAccess(failure: FailureWords, all: string): FailureKind {
  if (FILTER.test(all)) return 'filter';
  if (LIMITED.test(all)) return 'limit';
  if (/country|region|territory|地区/i.test(all)) return 'other';
  const request = KEY.test(all) ? 'other' : ofTheRequest(failure);
  return request === 'other' ? 'key' : request;
}

function kindOf(failure: FailureWords, status: number | undefined): FailureKind {
  const { words, marks } = failure;
  const all = `${marks} ${words}`;
  if (lacksCredit(all, marks)) return 'credit';
  if (status === 402) return OF_A_TIME.test(all) ? 'limit' : 'credit';
  if (status === 401 || status === 403) return ofAccess(failure, all);
  if (status === 413) return 'overflow';
  const request = ofTheRequest(failure);
  if (status === 404) return request === 'tools' || request === 'schema' || request === 'vision' ? request : 'model';
  if (status === 429) return request === 'overflow' && !LIMITED.test(words) ? 'overflow' : 'limit';
  // An older llama.cpp answers 500 to tools; gateways do so for any refusal of their servers.
  if (status !== undefined && status >= 500) {
    if (request === 'tools' || request === 'schema' || request === 'overflow') return request;
    return LIMIT_CODES.test(marks) ? 'limit' : 'busy';
  }
  if (FILTER_CODES.test(marks) || (request === 'other' && FILTER.test(all))) return 'filter';
  if (request !== 'other') return request;
  if (LIMITED.test(all) || LIMIT_CODES.test(marks)) return 'limit';
  if (KEY.test(all)) return 'key';
  return BUSY.test(all) && (status === undefined || status === 400 || status === 409) ? 'busy' : 'other';
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  秒: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  分钟: 60,
  h: 3600,
  hour: 3600,
  hours: 3600,
  小时: 3600,
};
const WAIT =
  /(?:retry|again|wait|reset|等待|请在?|delay)[^\d\n]{0,24}((?:\d+(?:\.\d+)?\s*(?:ms|seconds?|sec|s|minutes?|min|m|hours?|h|秒|分钟|小时)(?![a-z])\s*)+)/iu;

/** Seconds that the words ask to wait; null if they do not. */
function waitInWords(words: string): number | null {
  const said = WAIT.exec(words)?.[1];
  if (said === undefined) return null;
  const parts = [...said.matchAll(/(\d+(?:\.\d+)?)\s*(ms|seconds?|sec|s|minutes?|min|m|hours?|h|秒|分钟|小时)/giu)];
  const seconds = parts.reduce((sum, [, number, unit = 's']) => sum + Number(number) * (UNITS[unit.toLowerCase()] ?? 1), 0);
  return Math.max(1, Math.ceil(seconds));
}

/** Keys must not be repeated in an error: some servers quote them. */
function maskKey(message: string, apiKey: string): string {
  const masked = apiKey.length >= 8 ? message.replaceAll(apiKey, '•••') : message;
  return masked.replace(/\b(?:sk|key|gsk|xai)-[\w*-]{6,}/g, '•••').slice(0, 300);
}

/** Seconds that the server asks to wait, from `retry-after` (seconds or a date) or `retry-after-ms`; null when it says nothing. */
function retryAfterSeconds(headers: Headers | undefined, now: number): number | null {
  const millis = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(millis)) return Math.max(1, Math.ceil(millis / 1000));
  const value = headers?.get('retry-after');
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(1, Math.ceil(seconds));
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(1, Math.ceil((date - now) / 1000));
}

function readError(error: APIError): FailureWords {
  const read = readFailure(error.error ?? error.message.replace(/^\d{3} /, ''));
  return read.words === '' ? { ...read, words: error.message.replace(/^\d{3} /, '') } : read;
}

/** Codes in a chain of causes: Node puts the system error (ECONNREFUSED) two levels below, a browser gives none. */
function systemCode(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 4) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length) return systemCode(error.errors[0], depth + 1);
  return systemCode(error.cause, depth + 1);
}

/** Node's codes for a connection closed by the other side: its server restarts, or a proxy gave up. A browser has none. */
const RESET: readonly (string | null)[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'];

function unreachable(error: unknown, settings: ModelSettings): ToolError {
  const code = systemCode(error);
  if (RESET.includes(code))
    return new BusyModel('model_unreachable', `the connection to ${settings.baseURL} was reset (${code})`, 'send again in a moment', null);
  const message = `no connection to ${settings.baseURL}${code ? ` (${code})` : ''}`;
  // A browser reports a refused cross-origin request and a dead network with the same TypeError: name both.
  const next = code
    ? 'check the network and that the server runs at this address, then send again'
    : 'check the network and that the server runs at this address; if it does, let it accept requests from this page (CORS; Ollama: OLLAMA_ORIGINS), then send again';
  return new ToolError('model_unreachable', message, next, String(error));
}

interface Refused {
  readonly words: string;
  readonly settings: ModelSettings;
  readonly status: number | undefined;
  readonly wait: number | null;
}

/** Each kind of failure with its code, what happened and the next step. */
const FAILURES: Readonly<Record<FailureKind, (refused: Refused) => ToolError>> = {
  credit: ({ words }) =>
    new ToolError(
      'model_no_credit',
      `the provider refused: ${words}`,
      'check the balance of the account behind this key, or choose another model',
    ),
  limit: ({ words, wait }) => {
    const next = wait === null ? 'wait a minute, then send again' : `wait ${wait} s, then send again`;
    return new BusyModel('model_rate_limited', `too many requests: ${words}`, next, wait);
  },
  busy: ({ words, status, wait }) =>
    new BusyModel(
      'model_server_error',
      `the provider reported a server error${status === undefined ? '' : ` (${status})`}: ${words}`,
      'send again in a moment, or choose another model',
      wait,
    ),
  key: ({ words, settings: { apiKey } }) =>
    new ToolError(
      'model_unauthorized',
      `${apiKey ? 'the provider does not accept the key' : 'the provider asks for a key'}: ${words}`,
      'enter a valid key in the settings, then send again',
    ),
  filter: ({ words }) =>
    new ToolError(
      'model_filtered',
      `the provider’s filter refused the request: ${words}`,
      'ask in other words, take out what was attached, or choose another model',
    ),
  overflow: ({ words, settings: { model } }) =>
    new ToolError(
      'model_context_overflow',
      `the chat is longer than ${model} can read: ${words}`,
      'switch off tools that are not needed, attach less, or give the model a larger window (llama-server: -c; Ollama: OLLAMA_CONTEXT_LENGTH; LM Studio: context length)',
    ),
  tools: ({ words, settings: { model } }) =>
    new ToolError(
      'model_no_tools',
      `${model} cannot call tools: ${words}`,
      'in the settings, set “How models call tools” to “Automatic”, choose a model that can, or switch the tools off for this chat',
    ),
  schema: ({ words }) =>
    new ToolError(
      'model_schema_refused',
      `the provider does not take the tools as they are described: ${words}`,
      'in the settings, set “How models call tools” to “Automatic”, or switch tools off that this chat does not need',
    ),
  vision: ({ words, settings: { model } }) =>
    new ToolError(
      'model_no_vision',
      `${model} does not read images: ${words}`,
      'choose a model that does, or hide the messages that contain images',
    ),
  model: ({ words, settings: { baseURL, model } }) =>
    new ToolError(
      'model_not_found',
      `${baseURL} has no model "${model}": ${words || 'not found'}`,
      'choose a model that it has, and check that the address ends as the provider says (often /v1)',
    ),
  other: ({ words }) =>
    new ToolError('model_bad_request', `the provider refused the request: ${words}`, 'check the model options in the settings'),
};

function byKind(error: APIError, settings: ModelSettings, now: number): ToolError {
  const failure = readError(error);
  // A gateway says 500 although the server behind it said what is wrong.
  const inner = failure.status !== undefined && failure.status < 500 ? failure.status : undefined;
  const outer = error.status ?? failure.status;
  const status = error.status !== undefined && error.status >= 500 ? (inner ?? error.status) : outer;
  const words = maskKey(failure.words, settings.apiKey);
  if (status === 408 || status === 504) {
    return new ToolError('model_unreachable', `the provider did not answer in time (${status}): ${words}`, 'send again');
  }
  const wait = retryAfterSeconds(error.headers, now) ?? waitInWords(`${failure.words} ${JSON.stringify(error.error ?? '')}`);
  return FAILURES[kindOf(failure, status)]({ words, settings, status, wait });
}

/** Every failure of a request as one ToolError with its real cause and next step. `now` is in milliseconds since the epoch. */
export function toModelError(error: unknown, settings: ModelSettings, now: number): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof NotAnAnswer) {
    const page = /html/i.test(error.contentType) || /^\s*</.test(error.excerpt);
    const said = maskKey(plainText(error.excerpt), settings.apiKey);
    const what = page ? "answered with a web page, not a model's answer" : "answered with something that is not a model's answer";
    return new ToolError(
      'model_bad_answer',
      `${settings.baseURL} ${what}${said === '' ? '' : `: ${said}`}`,
      'check the address in the settings (often it has to end in /v1), or choose another model',
      maskKey(error.excerpt, settings.apiKey),
    );
  }
  if (error instanceof APIConnectionError) return unreachable(error, settings);
  if (error instanceof APIError) return byKind(error, settings, now);
  if (error instanceof SyntaxError) {
    return new ToolError(
      'model_bad_answer',
      `the model’s answer could not be read: ${maskKey(error.message, settings.apiKey)}`,
      'send again; if it happens again, choose another model',
      error.message,
    );
  }
  return unreachable(error, settings);
}

export function abortedError(): ToolError {
  return new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
}
