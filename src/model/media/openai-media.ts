import type OpenAI from 'openai';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ChatOption, Usage } from '../../tools/contract/messages.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { fromBase64, joinBytes } from '../../tools/util/base64.ts';
import { NotAnAnswer } from '../answer/answer-stream.ts';
import type { ModelSettings } from '../language-model.ts';
import { abortedError, toModelError } from '../model-errors.ts';
import type { OnRetry, Retry } from '../retrying.ts';
import { headerValues } from '../server/host-names.ts';
import { bearer, type ClientOptions, createClient, noAddress } from '../server/openai-client.ts';
import { normalizeBaseURL } from '../server/server-address.ts';
import { namedRecording, pictureKind, speechMime } from './file-kind.ts';
import type { MadePictures, MediaFile, MediaModel, Transcript } from './media-model.ts';

/** Services read 4096 characters or 2000 tokens in one request; Chinese has more tokens than characters at worst. */
const LONGEST = 1500;

const BREAKS: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…](?=\s)|[。！？]/g, /[,;:](?=\s)|[，；：、]/g, /\s/g];

function breakIn(text: string): number {
  for (const pattern of BREAKS) {
    const last = [...text.matchAll(pattern)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end > LONGEST / 3) return end;
  }
  // Never split a surrogate pair.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}

/** Splits a text into pieces that can be spoken one after another. Joined they are the text, except for surrounding white space. */
export function speechPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > LONGEST) {
    const end = breakIn(rest.slice(0, LONGEST));
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

const numberIn = (value: unknown, key: string): number | undefined => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** Tokens of an answer with `usage: {input_tokens, output_tokens}`; undefined if a service counts differently (seconds) or not at all. */
function usageOf(body: unknown): { readonly usage?: Usage } {
  const counted: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'usage') : undefined;
  const [input, output] = [numberIn(counted, 'input_tokens'), numberIn(counted, 'output_tokens')];
  if (input === undefined || output === undefined) return {};
  const total = numberIn(counted, 'total_tokens') ?? input + output;
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: total } };
}

interface PictureSource {
  readonly settings: Pick<ModelSettings, 'baseURL'>;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

const LARGEST = 64 * 1024 * 1024;

function noPicture(baseURL: string, what: string, detail?: string): ToolError {
  const next = 'send again; if it happens again, choose another model';
  return new ToolError('model_bad_answer', `${baseURL} answered ${what}`, next, detail);
}

function pictureBytes(text: string): Uint8Array | null {
  try {
    return fromBase64(text.replace(/^data:[^,]*,/, ''));
  } catch {
    return null; // Not base64: the caller reports it.
  }
}

/** True for addresses of the provider and public ones: an answer must not make the page call a server of this machine or network. */
function mayRead(address: string, baseURL: string): boolean {
  try {
    const url = new URL(address);
    if (url.origin === new URL(baseURL).origin) return true;
    return (
      url.protocol === 'https:' && /\.[a-z]{2,}$/i.test(url.hostname) && !/\.(?:local|internal|lan|home|localhost)$/i.test(url.hostname)
    );
  } catch {
    return false;
  }
}

async function download(address: string, { settings: { baseURL }, fetch, signal }: PictureSource): Promise<Uint8Array> {
  if (!mayRead(address, baseURL)) throw noPicture(baseURL, 'with an address that is not read', address.slice(0, 200));
  try {
    const response = await fetch(address, { signal, credentials: 'omit', redirect: 'error' });
    if (!response.ok) throw noPicture(baseURL, `with an address that does not return an image (${response.status})`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted || error instanceof ToolError) throw error;
    // Picture storage rarely allows cross-origin reads.
    throw noPicture(baseURL, 'with the address of an image that this page may not read', String(error));
  }
}

const textIn = (value: unknown, key: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'string' ? found : '';
};

/** The pictures in an answer of `/images/…`, inline or by address. Rejects with `model_bad_answer`. */
async function picturesOf(body: unknown, source: PictureSource): Promise<readonly MediaFile[]> {
  const { baseURL } = source.settings;
  const data: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  if (entries.length === 0) throw noPicture(baseURL, 'without an image');
  const pictures: MediaFile[] = [];
  for (const entry of entries) {
    const [encoded, address] = [textIn(entry, 'b64_json'), textIn(entry, 'url')];
    const sent = encoded || (address.startsWith('data:') ? address : '');
    const fetched = !sent && address ? await download(address, source) : null;
    const bytes = sent ? pictureBytes(sent) : fetched;
    const kind = bytes && bytes.length <= LARGEST ? pictureKind(bytes) : null;
    if (!bytes || !kind) throw noPicture(baseURL, 'with something that is not an image');
    pictures.push({ name: `picture.${kind.extension}`, mime: kind.mime, bytes });
  }
  return pictures;
}

export interface OpenAIMediaOptions extends ModelSettings, ClientOptions {
  /** SiYuan's configuration at the time of a request, whose secrets and variables headers may name. */
  readonly hostConfig?: () => unknown;
  readonly retry?: Retry;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** A large picture can take two minutes. */
const TIMEOUT_MS = 5 * 60_000;

/** The chat options that each endpoint knows; the others are for chats and would be refused. */
const PICTURE_OPTIONS = [
  'n',
  'size',
  'quality',
  'style',
  'background',
  'moderation',
  'output_format',
  'output_compression',
  'input_fidelity',
];
const TRANSCRIPT_OPTIONS = ['language', 'prompt'];
const SPEECH_OPTIONS = ['voice', 'instructions', 'speed', 'response_format'];

const DEFAULT_VOICE = 'alloy';

interface PictureFormat {
  readonly response_format?: 'b64_json';
}

function optionsOf(options: ChatOption, names: readonly string[]): Readonly<Record<string, string | number>> {
  const known = names.flatMap((name): (readonly [string, string | number])[] => {
    const value = options[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(known);
}

/** These always return the picture itself, and refuse `response_format`. */
const sendsPicture = (model: string): boolean => /(?:^|\/)(?:chat)?gpt-image/i.test(model);

const refusesFormat = (error: unknown): boolean =>
  error instanceof ToolError && error.code === 'model_bad_request' && /response_format/i.test(error.message);

function asFile({ name, mime, bytes }: MediaFile): File {
  return new File([new Uint8Array(bytes)], name, { type: mime });
}

/** Turns a successful response into the result; `signal` is also aborted on timeout. */
type Read<T> = (response: Response, signal: AbortSignal) => Promise<T>;

class OpenAIMedia implements MediaModel {
  private readonly options: OpenAIMediaOptions;
  private readonly baseURL: string | null;
  private readonly settings: ModelSettings;
  private client: OpenAI | undefined;
  /** Asks for the picture itself; otherwise some servers return its address. */
  private asksForPicture: boolean;

  constructor(options: OpenAIMediaOptions) {
    this.options = options;
    this.baseURL = normalizeBaseURL(options.baseURL);
    this.settings = { ...options, baseURL: this.baseURL ?? options.baseURL };
    this.asksForPicture = !sendsPicture(options.model);
  }

  generateImages(prompt: string, options: ChatOption, signal: AbortSignal, onRetry?: OnRetry): Promise<MadePictures> {
    const fields = { ...optionsOf(options, PICTURE_OPTIONS), model: this.options.model, prompt };
    return this.makePictures('/images/generations', (format) => ({ ...fields, ...format }), signal, onRetry);
  }

  editImages(
    prompt: string,
    pictures: readonly MediaFile[],
    options: ChatOption,
    signal: AbortSignal,
    onRetry?: OnRetry,
  ): Promise<MadePictures> {
    const fields = { ...optionsOf(options, PICTURE_OPTIONS), prompt };
    const body = (format: PictureFormat): FormData => {
      const form = this.form({ ...fields, ...format });
      // One picture under the field name that every server knows; several under OpenAI's.
      for (const picture of pictures) form.append(pictures.length === 1 ? 'image' : 'image[]', asFile(picture));
      return form;
    };
    return this.makePictures('/images/edits', body, signal, onRetry);
  }

  async transcribe(recording: MediaFile, options: ChatOption, signal: AbortSignal, onRetry?: OnRetry): Promise<Transcript> {
    const named = namedRecording(recording);
    if (!named)
      throw new ToolError('media_wrong_file', `${recording.name} is not a recording`, 'choose an mp3, m4a, wav, ogg or webm file');
    const form = this.form({ ...optionsOf(options, TRANSCRIPT_OPTIONS), response_format: 'json' });
    form.append('file', asFile(named));
    const read: Read<Transcript> = async (response) => {
      const body: unknown = await this.json(response);
      const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : undefined;
      if (typeof text !== 'string') throw this.badAnswer('without a transcript');
      return { text: text.trim(), ...usageOf(body) };
    };
    return this.post('/audio/transcriptions', form, signal, read, onRetry);
  }

  async speak(text: string, options: ChatOption, signal: AbortSignal, onRetry?: OnRetry): Promise<MediaFile> {
    const { response_format: wanted, ...rest } = optionsOf(options, SPEECH_OPTIONS);
    const pieces = speechPieces(text);
    // Pieces of mp3 can be concatenated into one file; those of formats with a header cannot.
    const format = pieces.length === 1 && typeof wanted === 'string' && speechMime(wanted) !== undefined ? wanted : 'mp3';
    const parts: Uint8Array[] = [];
    for (const input of pieces) {
      const body = { voice: DEFAULT_VOICE, ...rest, model: this.options.model, input, response_format: format };
      parts.push(await this.post('/audio/speech', body, signal, (response) => this.recording(response), onRetry));
    }
    return { name: `speech.${format}`, mime: speechMime(format) ?? 'audio/mpeg', bytes: joinBytes(parts) };
  }

  private async makePictures(
    path: string,
    body: (format: PictureFormat) => FormData | Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onRetry?: OnRetry,
  ): Promise<MadePictures> {
    const read: Read<MadePictures> = async (response, until) => {
      const answer: unknown = await this.json(response);
      const source = { settings: this.settings, fetch: this.options.fetch ?? globalThis.fetch, signal: until };
      return { pictures: await picturesOf(answer, source), ...usageOf(answer) };
    };
    if (!this.asksForPicture) return this.post(path, body({}), signal, read, onRetry);
    try {
      return await this.post(path, body({ response_format: 'b64_json' }), signal, read, onRetry);
    } catch (error) {
      if (!refusesFormat(error)) throw error;
      this.asksForPicture = false;
      return this.post(path, body({}), signal, read, onRetry);
    }
  }

  private post<T>(path: string, body: object, signal: AbortSignal, read: Read<T>, onRetry: OnRetry = () => undefined): Promise<T> {
    const { retry } = this.options;
    const attempt = (): Promise<T> => this.postOnce(path, body, signal, read);
    return retry ? retry(attempt, signal, onRetry) : attempt();
  }

  /** One request with its whole answer; every failure is a ToolError. */
  private async postOnce<T>(path: string, body: object, signal: AbortSignal, read: Read<T>): Promise<T> {
    if (signal.aborted) throw abortedError();
    if (this.baseURL === null) throw noAddress(this.options.baseURL);
    const client = this.clientFor(this.baseURL);
    const { timeoutMs = TIMEOUT_MS, now = Date.now } = this.options;
    const link = linkSignals([signal], timeoutMs);
    try {
      return await read(await client.post(path, { body, signal: link.signal }).asResponse(), link.signal);
    } catch (error) {
      if (link.timedOut()) {
        const message = `the provider did not answer within ${Math.round(timeoutMs / 1000)} s`;
        throw new ToolError('model_unreachable', message, 'send again, or choose another model');
      }
      if (signal.aborted) throw abortedError();
      throw toModelError(error, this.settings, now());
    } finally {
      link.release();
    }
  }

  /** What headers name may change from one request to the next. */
  private clientFor(address: string): OpenAI {
    const { headers, hostConfig, apiKey } = this.options;
    if (headers) {
      // A form names its own boundary.
      const { 'content-type': _type, ...own } = headerValues(headers, address, hostConfig?.());
      return createClient(this.options, address, { ...bearer(address, apiKey), ...own });
    }
    this.client ??= createClient(this.options, address);
    return this.client;
  }

  private async json(response: Response): Promise<unknown> {
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      throw new NotAnAnswer(response.headers.get('content-type') ?? '', text.slice(0, 200));
    }
  }

  private async recording(response: Response): Promise<Uint8Array> {
    const type = response.headers.get('content-type') ?? '';
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length === 0 || /json|^text\//i.test(type)) throw this.badAnswer('without a recording', type);
    return bytes;
  }

  private badAnswer(what: string, detail?: string): ToolError {
    const next = 'check the address and the model in the settings, then send again';
    return new ToolError('model_bad_answer', `${this.settings.baseURL} answered ${what}`, next, detail);
  }

  private form(fields: Readonly<Record<string, string | number>>): FormData {
    const form = new FormData();
    form.append('model', this.options.model);
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    return form;
  }
}

export function createOpenAIMedia(options: OpenAIMediaOptions): MediaModel {
  return new OpenAIMedia(options);
}
