import { ToolError } from '../../tools/contract/errors.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { nextTask } from '../../tools/util/next-task.ts';

/** Characters that are encoded or decoded at once: all of a long chat would block the window for a tenth of a second. */
const SLICE = 500_000;

const isFirstOfPair = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff;

/** A text as a request body: a long one is encoded slice by slice. */
async function bodyInSlices(text: string): Promise<string | Blob> {
  if (text.length <= SLICE) return text;
  const slices: Blob[] = [];
  for (let at = 0; at < text.length; ) {
    await nextTask();
    let end = at + SLICE;
    // Half of a surrogate pair would be written as a replacement character.
    if (isFirstOfPair(text.charCodeAt(end - 1))) end += 1;
    slices.push(new Blob([text.slice(at, end)]));
    at = end;
  }
  return new Blob(slices);
}

/** The text of an answer, decoded as it arrives. */
async function textInSlices({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let rest = SLICE;
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return text + decoder.decode();
    text += decoder.decode(piece.value, { stream: true });
    rest -= piece.value.length;
    if (rest > 0) continue;
    rest = SLICE;
    await nextTask();
  }
}

/** The only platform API that the client needs: `fetch` of the browser or Node. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface KernelClientOptions {
  /** Origin of the kernel without a trailing slash; "" in the plugin, where requests are relative. */
  readonly baseUrl: string;
  readonly token?: string;
  readonly fetch: Fetch;
  readonly timeoutMs?: number;
  /** Called at the begin of a request; the returned function is called at its end. */
  readonly onRequest?: (path: string) => () => void;
}

/** Parses the expected shape of `data`, or throws. `truncated`: whether SiYuan left something out; undefined where it does not tell (3.7.3). */
export type ParseData<T> = (data: unknown, truncated?: boolean) => T;

/** Success is `code === 0` with the expected data. Rejects with `kernel_unreachable`, `kernel_refused`, `read_only` or `aborted`. */
export interface KernelClient {
  call<T>(path: string, body: unknown, parse: ParseData<T>, signal: AbortSignal): Promise<T>;
  readFile(path: string, signal: AbortSignal): Promise<string | null>;
  writeFile(path: string, text: string, signal: AbortSignal): Promise<void>;
  /** `call` with a form instead of a JSON body. */
  upload<T>(path: string, form: FormData, parse: ParseData<T>, signal: AbortSignal): Promise<T>;
  /** The bytes at an address of the kernel, such as an asset, or of what it answers to a body; null if there are none. */
  readBytes(path: string, signal: AbortSignal, body?: unknown): Promise<Uint8Array<ArrayBuffer> | null>;
}

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
  readonly truncated: boolean | undefined;
}

function saidOf(
  path: string,
  code: number,
  message: string,
): readonly [code: 'read_only' | 'encrypted_notebook' | 'kernel_refused', what: string, next: string] {
  if (/read-only mode|只读模式|唯讀模式/i.test(message))
    return ['read_only', 'SiYuan is in read-only mode', 'tell the user to leave read-only mode; nothing was written'];
  if (/encrypted notebook is locked|加密(?:笔记本.{0,4}锁定|筆記本.{0,4}鎖定)/i.test(message))
    return ['encrypted_notebook', 'the notebook was locked', 'ask the user to unlock it; what was written before can be undone then'];
  const what = `SiYuan refused ${path}: ${message || `code ${code}`}`;
  return ['kernel_refused', what, 'check the ids and try again, or tell the user what SiYuan said'];
}

/** A refusal keeps the kernel's own code and message, so that callers can distinguish "not found" from the rest. */
export class KernelRefusal extends ToolError {
  readonly kernelCode: number;
  readonly kernelMessage: string;

  constructor(path: string, kernelCode: number, kernelMessage: string) {
    super(...saidOf(path, kernelCode, kernelMessage));
    this.name = 'KernelRefusal';
    this.kernelCode = kernelCode;
    this.kernelMessage = kernelMessage;
  }
}

const DEFAULT_TIMEOUT_MS = 30_000;

function readEnvelope(path: string, text: string): Envelope {
  if (text.trim() === '') {
    // The answer to an unknown route is 200 with an empty body.
    throw new ToolError('kernel_refused', `SiYuan does not know ${path}`, 'tell the user that this needs SiYuan 3.7.3 or newer');
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new ToolError('kernel_refused', `SiYuan's response to ${path} is not JSON`, 'try again or tell the user', String(error));
  }
  const envelope = typeof parsed === 'object' && parsed !== null ? (parsed as Partial<Envelope>) : {};
  if (typeof envelope.code !== 'number') {
    throw new ToolError('kernel_refused', `SiYuan's response to ${path} has an unknown format`, 'try again or tell the user');
  }
  const { code, msg, data, truncated } = envelope;
  return { code, msg: typeof msg === 'string' ? msg : '', data, truncated };
}

function readData<T>(path: string, text: string, parse: ParseData<T>): T {
  const envelope = readEnvelope(path, text);
  if (envelope.code !== 0) throw new KernelRefusal(path, envelope.code, envelope.msg);
  try {
    return parse(envelope.data, envelope.truncated);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    // A missing or mistyped parameter often gives code 0 without data.
    throw new ToolError('kernel_refused', `SiYuan's response to ${path} lacks what was requested`, 'check the arguments', String(error));
  }
}

/** What the kernel says instead of a file: null if there is none; throws otherwise. */
function noFile(path: string, text: string): null {
  const { code, msg } = readEnvelope(path, text);
  if (code === 404) return null;
  throw new KernelRefusal(path, code, msg);
}

function unreachable(error: unknown, outer: AbortSignal, timedOut: boolean): ToolError {
  if (outer.aborted && !timedOut) return new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
  const what = timedOut ? 'SiYuan did not answer in time' : 'SiYuan cannot be reached';
  return new ToolError('kernel_unreachable', what, 'tell the user to check that SiYuan is running, then try again', String(error));
}

function checkStatus(path: string, status: number): void {
  if (status === 401 || status === 403) {
    throw new ToolError('kernel_refused', 'SiYuan did not accept the access token', 'tell the user to check the token or to log in again');
  }
  if (status >= 500)
    throw new ToolError('kernel_unreachable', `SiYuan answered ${path} with HTTP ${status}`, 'try again, or tell the user');
}

/** A file as a multipart form in one piece: Node sends each field of a `FormData` separately, and each step of a chat writes a file. */
function fileForm(path: string, content: string): { readonly type: string; readonly text: string } {
  let boundary = '';
  do boundary = `marginalia-${Math.random().toString(36).slice(2)}`;
  while (content.includes(boundary));
  const name = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  const part = (head: string, value: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const file = `name="file"; filename="${name}"\r\nContent-Type: application/octet-stream`;
  const parts = [part('name="path"', path), part('name="isDir"', 'false'), part(file, content)];
  return { type: `multipart/form-data; boundary=${boundary}`, text: `${parts.join('')}--${boundary}--\r\n` };
}

class HttpKernelClient implements KernelClient {
  private readonly options: KernelClientOptions;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(options: KernelClientOptions) {
    this.options = options;
    this.headers = options.token ? { Authorization: `Token ${options.token}` } : {};
  }

  async call<T>(path: string, body: unknown, parse: ParseData<T>, signal: AbortSignal): Promise<T> {
    const { text } = await this.post(path, this.jsonOf(body), signal);
    return readData(path, text, parse);
  }

  async upload<T>(path: string, form: FormData, parse: ParseData<T>, signal: AbortSignal): Promise<T> {
    const { text } = await this.post(path, { headers: this.headers, body: form }, signal);
    return readData(path, text, parse);
  }

  readBytes(path: string, signal: AbortSignal, body?: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
    const init = body === undefined ? { method: 'GET', headers: this.headers } : { method: 'POST', ...this.jsonOf(body) };
    return this.request(path, init, signal, async (response) => {
      if (response.status === 404) return null;
      checkStatus(path, response.status);
      if (response.status === 202) return noFile(path, await response.text());
      if (!response.ok) throw new KernelRefusal(path, response.status, '');
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  async readFile(path: string, signal: AbortSignal): Promise<string | null> {
    const { status, text } = await this.post('/api/file/getFile', this.jsonOf({ path }), signal);
    return status === 202 ? noFile('/api/file/getFile', text) : text;
  }

  async writeFile(path: string, content: string, signal: AbortSignal): Promise<void> {
    const { type, text } = fileForm(path, content);
    const init = { headers: { ...this.headers, 'Content-Type': type }, body: await bodyInSlices(text) };
    const answer = await this.post('/api/file/putFile', init, signal);
    readData('/api/file/putFile', answer.text, () => undefined);
  }

  private jsonOf(body: unknown): RequestInit {
    return { headers: { ...this.headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  }

  private async post(path: string, init: RequestInit, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const read = async (response: Response) => ({ status: response.status, text: await textInSlices(response) });
    const answer = await this.request(path, { ...init, method: 'POST' }, signal, read);
    checkStatus(path, answer.status);
    return answer;
  }

  /** `read` belongs to the request: if it fails, the request counts as unanswered. */
  private async request<T>(path: string, init: RequestInit, signal: AbortSignal, read: (response: Response) => Promise<T>): Promise<T> {
    const { baseUrl, fetch, timeoutMs = DEFAULT_TIMEOUT_MS, onRequest } = this.options;
    const link = linkSignals([signal], timeoutMs);
    const over = onRequest?.(path);
    try {
      if (signal.aborted) throw signal.reason;
      return await read(await fetch(`${baseUrl}${path}`, { ...init, signal: link.signal }));
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw unreachable(error, signal, link.timedOut() && !signal.aborted);
    } finally {
      link.release();
      over?.();
    }
  }
}

export function createKernelClient(options: KernelClientOptions): KernelClient {
  return new HttpKernelClient(options);
}
