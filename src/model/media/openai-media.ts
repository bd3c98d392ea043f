import type OpenAI from 'openai';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ChatOption } from '../../tools/contract/messages.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { joinBytes } from '../../tools/util/base64.ts';
import { NotAnAnswer } from '../answer/answer-stream.ts';
import type { ModelSettings } from '../language-model.ts';
import { abortedError, toModelError } from '../model-errors.ts';
import type { OnRetry, Retry } from '../retrying.ts';
import { headerValues } from '../server/host-names.ts';
import { bearer, type ClientOptions, createClient, noAddress } from '../server/openai-client.ts';
import { normalizeBaseURL } from '../server/server-address.ts';
import { namedRecording, speechMime } from './file-kind.ts';
import { picturesOf } from './made-pictures.ts';
import type { MadePictures, MediaFile, MediaModel, Transcript } from './media-model.ts';
import { usageOf } from './media-usage.ts';
import { speechPieces } from './speech-pieces.ts';

export interface OpenAIMediaOptions extends ModelSettings, ClientOptions {
  /** SiYuan's configuration at the time of a request, whose secrets and variables headers may name. */
  readonly hostConfig?: () => unknown;
  /** How a request is retried; absent: it is not. */
  readonly retry?: Retry;
  /** Milliseconds that one request may take; for tests. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch; for tests. */
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
  /** Whether to ask for the picture itself; otherwise some servers return its address. */
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

  /** A request that is retried if the service is busy. */
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

/** Models for pictures and speech behind an OpenAI-compatible address. */
export function createOpenAIMedia(options: OpenAIMediaOptions): MediaModel {
  return new OpenAIMedia(options);
}
