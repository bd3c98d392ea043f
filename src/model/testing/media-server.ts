import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';

/**
 * OpenAI's endpoints for pictures and speech behind a real port, as strict as the real ones: the allowed fields, their types,
 * and the messages of refusals.
 */

interface MediaRequest {
  /** Without `/v1`. */
  readonly path: string;
  readonly authorization: string | undefined;
  /** Of JSON and of multipart, without its files. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly field: string; readonly name: string; readonly type: string; readonly bytes: Uint8Array }[];
}

type MediaReply =
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  /** The real answer, once the test releases it. */
  | { readonly hold: Promise<void> };

export interface MediaServer {
  readonly baseURL: string;
  readonly requests: MediaRequest[];
  /** What the next request gets instead of its answer, or before it. */
  push(...replies: readonly MediaReply[]): void;
  /** The words of the next recording. */
  transcript: string;
  /** The answer of a chat model. */
  answer: string;
  close(): Promise<void>;
}

export interface MediaServerOptions {
  /** Without one, every key is accepted. */
  readonly apiKey?: string;
  /** Other servers than OpenAI's that refuse `response_format` for pictures and send an address. */
  readonly refusesFormat?: boolean;
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };
const MAX_RECORDING = 25 * 1024 * 1024;
const RECORDINGS = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'];
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'onyx', 'nova', 'sage', 'shimmer', 'verse', 'marin', 'cedar'];
const GPT_SIZES = ['1024x1024', '1536x1024', '1024x1536', 'auto'];
const DALL_E_SIZES: Readonly<Record<string, readonly string[]>> = {
  'dall-e-2': ['256x256', '512x512', '1024x1024'],
  'dall-e-3': ['1024x1024', '1792x1024', '1024x1792'],
};
const PICTURE_FIELDS = ['model', 'prompt', 'n', 'size', 'quality', 'style', 'user'];
const GPT_FIELDS = ['background', 'moderation', 'output_format', 'output_compression', 'input_fidelity', 'stream', 'partial_images'];

/** A refusal in the service's own shape. */
class Refusal extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, param: string | null = null, code: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

function check(holds: boolean, message: string, param: string | null = null, code: string | null = 'invalid_value'): void {
  if (!holds) throw new Refusal(400, message, param, code);
}

const CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const crc = body.reduce((sum, byte) => (CRC[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff;
  const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  end.writeUInt32BE(crc >>> 0);
  return Buffer.concat([length, body, end]);
}

/** A PNG with a gradient; `seed` shifts its colours. */
export function pngPicture(seed: number, size = 320): Uint8Array {
  const rows = Buffer.alloc(size * (size * 3 + 1));
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const at = y * (size * 3 + 1) + 1 + x * 3;
      rows[at] = (x * 255) / size;
      rows[at + 1] = (y * 255) / size;
      rows[at + 2] = (seed * 80 + 60) % 256;
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** Half a minute of silence as mp3: frames of 26 ms, MPEG 1 layer 3, 128 kbit/s, 44.1 kHz. */
export function mp3Silence(frames = 1200): Uint8Array {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** A tone as WAV, 16 bit mono at 8 kHz. */
export function wavTone(seconds = 1): Uint8Array {
  const samples = Math.round(8000 * seconds);
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) wav.writeInt16LE(Math.round(8000 * Math.sin(at / 3)), 44 + at * 2);
  return wav;
}

async function readRequest(request: IncomingMessage): Promise<MediaRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const path = (request.url ?? '').replace(/^\/v1/, '');
  const type = request.headers['content-type'] ?? '';
  const { authorization } = request.headers;
  const body = Buffer.concat(parts);
  if (!/^multipart\/form-data; *boundary=/i.test(type)) {
    const fields: unknown = /json/.test(type) && body.length > 0 ? JSON.parse(body.toString()) : {};
    return { path, authorization, fields: fields as MediaRequest['fields'], files: [] };
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const fields: Record<string, unknown> = {};
  const files: { field: string; name: string; type: string; bytes: Uint8Array }[] = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') fields[field] = value;
    else files.push({ field, name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return { path, authorization, fields, files };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isGpt = (model: string): boolean => /^(?:chatgpt|gpt)-image/.test(model);

function checkPictureFields({ fields }: MediaRequest, also: readonly string[]): { model: string; n: number } {
  const [model, prompt] = [textOf(fields.model), textOf(fields.prompt)];
  check(isGpt(model) || model in DALL_E_SIZES || model === 'flux', `The model '${model}' does not exist.`, 'model', 'model_not_found');
  const known = [...PICTURE_FIELDS, ...also, ...(isGpt(model) ? GPT_FIELDS : ['response_format'])];
  for (const name of Object.keys(fields)) check(known.includes(name), `Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  check(prompt !== '', "Missing required parameter: 'prompt'.", 'prompt', 'missing_required_parameter');
  const longestOfDallE = model === 'dall-e-2' ? 1000 : 4000;
  const longest = isGpt(model) ? 32_000 : longestOfDallE;
  check(prompt.length <= longest, `Invalid 'prompt': string too long. Expected a string with maximum length ${longest}.`, 'prompt');
  const sizes = DALL_E_SIZES[model] ?? GPT_SIZES;
  if (fields.size !== undefined)
    check(sizes.includes(textOf(fields.size)), `Invalid value: '${fields.size}'. Supported values are: ${sizes}.`, 'size');
  const n = fields.n === undefined ? 1 : Number(fields.n);
  check(Number.isInteger(n) && n >= 1 && n <= (model === 'dall-e-3' ? 1 : 10), `Invalid 'n': ${fields.n}.`, 'n');
  return { model, n };
}

function checkEditFiles({ files }: MediaRequest, model: string): void {
  const pictures = files.filter(({ field }) => field === 'image' || field === 'image[]');
  for (const { field } of files) check(['image', 'image[]', 'mask'].includes(field), `Unknown parameter: '${field}'.`, field);
  check(pictures.length > 0, "Missing required parameter: 'image'.", 'image', 'missing_required_parameter');
  check(pictures.length <= (isGpt(model) ? 16 : 1), 'Too many images.', 'image');
  check(isGpt(model) || model === 'dall-e-2' || model === 'flux', `Model ${model} does not support image editing.`, 'model');
  const kinds = model === 'dall-e-2' ? ['image/png'] : ['image/png', 'image/jpeg', 'image/webp'];
  for (const { type, bytes } of pictures) {
    const supported = kinds.map((kind) => `'${kind}'`).join(', ');
    check(
      kinds.includes(type),
      `Invalid file 'image': unsupported mimetype ('${type}'). Supported file formats are ${supported}.`,
      'image',
    );
    check(bytes.length > 0 && bytes.length < (model === 'dall-e-2' ? 4 : 50) * 1024 * 1024, 'Uploaded image is too large.', 'image');
  }
  for (const { type } of files.filter(({ field }) => field === 'mask')) check(type === 'image/png', 'The mask has to be a PNG.', 'mask');
}

function checkRecording({ fields, files }: MediaRequest): { model: string } {
  const model = textOf(fields.model);
  check(model !== '', "Missing required parameter: 'model'.", 'model', 'missing_required_parameter');
  check(/whisper|transcribe/.test(model), `The model '${model}' does not exist.`, 'model', 'model_not_found');
  const [file] = files;
  if (file?.field !== 'file') throw new Refusal(400, "Missing required parameter: 'file'.", 'file', 'missing_required_parameter');
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
  check(file.name.includes('.') && RECORDINGS.includes(ending), `Unrecognized file format. Supported formats: ${RECORDINGS}`, 'file');
  if (file.bytes.length > MAX_RECORDING)
    throw new Refusal(413, `Maximum content size limit (${MAX_RECORDING}) exceeded (${file.bytes.length} bytes read)`);
  check(file.bytes.length > 0, 'Audio file is too short. Minimum audio length is 0.1 seconds.', 'file', 'audio_too_short');
  const format = fields.response_format === undefined ? 'json' : textOf(fields.response_format);
  const formats = /^whisper/.test(model) ? ['json', 'text', 'srt', 'verbose_json', 'vtt'] : ['json'];
  check(formats.includes(format), `response_format '${format}' is not compatible with model '${model}'.`, 'response_format');
  const known = ['model', 'language', 'prompt', 'response_format', 'temperature'];
  for (const name of Object.keys(fields)) check(known.includes(name), `Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  return { model };
}

function checkSpeech({ fields }: MediaRequest): { format: string } {
  const { model, input, voice, response_format: format = 'mp3' } = fields;
  check(/tts/.test(textOf(model)), `The model '${textOf(model)}' does not exist.`, 'model', 'model_not_found');
  check(textOf(input) !== '', "[{'type': 'string_too_short', 'loc': ('body', 'input')}]", 'input');
  check(textOf(input).length <= 4096, "[{'type': 'string_too_long', 'loc': ('body', 'input'), 'ctx': {'max_length': 4096}}]", 'input');
  check(VOICES.includes(textOf(voice)), `Input should be ${VOICES.join(', ')}`, 'voice');
  check(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'].includes(textOf(format)), `Invalid value: '${textOf(format)}'.`, 'response_format');
  const known = ['model', 'input', 'voice', 'instructions', 'response_format', 'speed', 'stream_format'];
  for (const name of Object.keys(fields)) check(known.includes(name), `Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  return { format: textOf(format) };
}

interface Answer {
  readonly type: string;
  readonly body: string | Uint8Array;
}

const json = (value: unknown): Answer => ({ type: 'application/json', body: JSON.stringify(value) });

class Endpoints {
  private made = 0;
  private readonly options: MediaServerOptions;
  private readonly server: Pick<MediaServer, 'baseURL' | 'transcript' | 'answer'>;

  constructor(options: MediaServerOptions, server: Pick<MediaServer, 'baseURL' | 'transcript' | 'answer'>) {
    this.options = options;
    this.server = server;
  }

  answer(request: MediaRequest): Answer {
    const { apiKey } = this.options;
    if (apiKey !== undefined && request.authorization !== `Bearer ${apiKey}`) {
      const sent = request.authorization?.replace('Bearer ', '') ?? '';
      throw new Refusal(401, sent ? `Incorrect API key provided: ${sent}.` : "You didn't provide an API key.", null, 'invalid_api_key');
    }
    if (request.path === '/images/generations') return this.pictures(request, checkPictureFields(request, []));
    if (request.path === '/images/edits') {
      const asked = checkPictureFields(request, []);
      checkEditFiles(request, asked.model);
      return this.pictures(request, asked);
    }
    if (request.path === '/chat/completions')
      return json({ choices: [{ message: { content: this.server.answer }, finish_reason: 'stop' }] });
    if (request.path === '/audio/transcriptions') return this.transcript(request, checkRecording(request).model);
    if (request.path === '/audio/speech') {
      const { format } = checkSpeech(request);
      return format === 'wav' ? { type: 'audio/wav', body: wavTone() } : { type: 'audio/mpeg', body: mp3Silence() };
    }
    throw new Refusal(404, `Invalid URL (POST /v1${request.path})`);
  }

  private pictures({ fields }: MediaRequest, { model, n }: { model: string; n: number }): Answer {
    if (this.options.refusesFormat && fields.response_format !== undefined)
      throw new Refusal(400, "Unknown parameter: 'response_format'.", 'response_format', 'unknown_parameter');
    const byAddress = !isGpt(model) && fields.response_format !== 'b64_json';
    const data = Array.from({ length: n }, () => {
      this.made += 1;
      if (byAddress) return { url: `${this.server.baseURL}/files/${this.made}.png` };
      return { b64_json: Buffer.from(pngPicture(this.made)).toString('base64') };
    });
    const usage = { input_tokens: 13, output_tokens: 1056, total_tokens: 1069, input_tokens_details: { text_tokens: 13, image_tokens: 0 } };
    return json({ created: 1, data, ...(isGpt(model) ? { background: 'opaque', output_format: 'png', usage } : {}) });
  }

  private transcript({ fields }: MediaRequest, model: string): Answer {
    const text = this.server.transcript;
    if (fields.response_format === 'text') return { type: 'text/plain; charset=utf-8', body: `${text}\n` };
    if (fields.response_format === 'verbose_json')
      return json({ task: 'transcribe', language: 'english', duration: 1, text, segments: [] });
    const tokens = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 };
    return json({ text, usage: /^whisper/.test(model) ? { type: 'duration', seconds: 1 } : tokens });
  }
}

function send(response: ServerResponse, status: number, { type, body }: Answer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { ...CORS, 'content-type': type, ...headers }).end(body);
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, message, param, code } = error instanceof Refusal ? error : new Refusal(500, String(error));
  send(response, status, json({ error: { message, type: 'invalid_request_error', param, code } }));
}

export async function startMediaServer(options: MediaServerOptions = {}): Promise<MediaServer> {
  const queue: MediaReply[] = [];
  const media = {
    baseURL: '',
    transcript: 'Buy white paint for the roof.',
    answer: 'Roofs are **white**.',
    requests: [] as MediaRequest[],
  };
  const endpoints = new Endpoints(options, media);
  const models = ['gpt-image-1', 'dall-e-3', 'whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-tts'].map((id) => ({ id, object: 'model' }));
  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readRequest(request);
    media.requests.push(read);
    const next = queue.shift();
    if (next && 'hold' in next) await next.hold;
    if (next && 'status' in next) return send(response, next.status, { type: 'application/json', body: next.body }, next.headers);
    const { type, body } = endpoints.answer(read);
    send(response, 200, { type, body });
  }
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end();
    const file = /^\/v1\/files\/(\d+)\.png$/.exec(request.url ?? '');
    if (request.method === 'GET' && file) return send(response, 200, { type: 'image/png', body: pngPicture(Number(file[1])) });
    if (request.method === 'GET') return send(response, 200, json({ object: 'list', data: models }));
    void post(request, response).catch((error: unknown) => refuse(response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  media.baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return Object.assign(media, {
    push: (...replies: readonly MediaReply[]) => void queue.push(...replies),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
