import { afterEach, describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import { type MediaServer, type MediaServerOptions, mp3Silence, pngPicture, startMediaServer, wavTone } from '../testing/media-server.ts';
import type { MediaFile, MediaModel } from './media-model.ts';
import { createOpenAIMedia, type OpenAIMediaOptions } from './openai-media.ts';

const KEY = 'sk-test-1234567890';
const servers: MediaServer[] = [];
const idle = new AbortController().signal;

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open(model: string, options: MediaServerOptions & Partial<OpenAIMediaOptions> = {}) {
  const server = await startMediaServer({ apiKey: KEY, ...options });
  servers.push(server);
  const media = createOpenAIMedia({ baseURL: server.baseURL, apiKey: KEY, model, ...options });
  return { server, media };
}

const picture = (seed = 1): MediaFile => ({ name: 'house.png', mime: 'image/png', bytes: pngPicture(seed) });
const recording = (name = 'note.webm', mime = 'audio/webm', bytes = wavTone()): MediaFile => ({ name, mime, bytes });

async function failure(work: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof ToolError)) throw new Error(`no ToolError: ${String(error)}`);
  return error;
}

describe('pictures', () => {
  it('are taken from what gpt-image sends, with its tokens', async () => {
    const { server, media } = await open('gpt-image-1');
    const made = await media.generateImages('a white roof', { size: '1024x1536', temperature: 0.2 }, idle);
    expect(made.pictures.map(({ name, mime }) => [name, mime])).toEqual([['picture.png', 'image/png']]);
    expect(Buffer.from(made.pictures[0]?.bytes ?? []).equals(Buffer.from(pngPicture(1)))).toBe(true);
    expect(made.usage).toEqual({ prompt_tokens: 13, completion_tokens: 1056, total_tokens: 1069 });
    // No option of a chat goes along, and no format, which this model refuses.
    expect(server.requests[0]?.fields).toEqual({ model: 'gpt-image-1', prompt: 'a white roof', size: '1024x1536' });
  });

  it('are asked of dall-e as bytes, several at once', async () => {
    const { server, media } = await open('dall-e-2');
    const made = await media.generateImages('a roof', { n: 3 }, idle);
    expect(made.pictures).toHaveLength(3);
    expect(made.usage).toBeUndefined();
    expect(server.requests[0]?.fields.response_format).toBe('b64_json');
  });

  it('are fetched from their address where a server sends no bytes, and it is not asked for bytes again', async () => {
    const { server, media } = await open('flux', { refusesFormat: true });
    const made = await media.generateImages('a roof', {}, idle);
    expect(Buffer.from(made.pictures[0]?.bytes ?? []).equals(Buffer.from(pngPicture(1)))).toBe(true);
    await media.generateImages('a roof', {}, idle);
    expect(server.requests.map(({ fields }) => fields.response_format)).toEqual(['b64_json', undefined, undefined]);
  });

  it.each([
    'http://127.0.0.1:6806/api/network/proxy?u=x',
    'http://192.168.1.1/x.png',
    'https://router.local/x.png',
    'https://10.0.0.1/x.png',
    'file:///etc/passwd',
    '/x.png',
  ])('are not fetched from %s', async (url) => {
    const asked: string[] = [];
    const { server, media } = await open('dall-e-3', {
      fetch: (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
    });
    server.push({ status: 200, body: JSON.stringify({ data: [{ url }] }) });
    expect((await failure(media.generateImages('a roof', {}, idle))).code).toBe('model_bad_answer');
    expect(asked).toEqual([`${server.baseURL}/images/generations`]);
  });

  it.each([
    ['no image at all', { data: [] }],
    ['an SVG, which is a program', { data: [{ b64_json: btoa('<svg onload="x()"/>') }] }],
    ['no base64', { data: [{ b64_json: '%%%' }] }],
    ['nothing', null],
  ])('are refused where an answer holds %s', async (_, body) => {
    const { server, media } = await open('gpt-image-1');
    server.push({ status: 200, body: JSON.stringify(body) });
    expect((await failure(media.generateImages('a roof', {}, idle))).code).toBe('model_bad_answer');
  });

  it('are changed as multipart, one or several', async () => {
    const { server, media } = await open('gpt-image-1');
    await media.editImages('make it blue', [picture()], {}, idle);
    await media.editImages('join them', [picture(1), picture(2)], { quality: 'low' }, idle);
    expect(server.requests.map(({ path }) => path)).toEqual(['/images/edits', '/images/edits']);
    expect(server.requests[0]?.files.map(({ field, name, type }) => [field, name, type])).toEqual([['image', 'house.png', 'image/png']]);
    expect(server.requests[1]?.files.map(({ field }) => field)).toEqual(['image[]', 'image[]']);
    expect(server.requests[1]?.fields).toEqual({ model: 'gpt-image-1', prompt: 'join them', quality: 'low' });
  });
});

describe('transcripts', () => {
  it('come as text, with tokens where the service counts them', async () => {
    const { server, media } = await open('gpt-4o-transcribe');
    expect(await media.transcribe(recording(), { language: 'en', voice: 'alloy' }, idle)).toEqual({
      text: 'Buy white paint for the roof.',
      usage: { prompt_tokens: 14, completion_tokens: 45, total_tokens: 59 },
    });
    expect(server.requests[0]?.fields).toEqual({ model: 'gpt-4o-transcribe', language: 'en', response_format: 'json' });
    expect(server.requests[0]?.files[0]).toMatchObject({ field: 'file', name: 'note.webm', type: 'audio/webm' });
  });

  it('are had for a recording whose name does not tell its format, by its type', async () => {
    const { server, media } = await open('whisper-1');
    expect(await media.transcribe(recording('recording', 'audio/mp4;codecs=mp4a'), {}, idle)).toEqual({
      text: 'Buy white paint for the roof.',
    });
    expect(server.requests[0]?.files[0]?.name).toBe('recording.mp4');
  });

  it('are not asked for where the file is no recording', async () => {
    const { server, media } = await open('whisper-1');
    expect((await failure(media.transcribe(recording('plan.pdf', 'application/pdf'), {}, idle))).code).toBe('media_wrong_file');
    expect(server.requests).toEqual([]);
  });
});

describe('speech', () => {
  it('comes as a recording, in a voice', async () => {
    const { server, media } = await open('gpt-4o-mini-tts');
    const spoken = await media.speak('Good morning.', { speed: 1.2 }, idle);
    expect([spoken.name, spoken.mime, spoken.bytes.length]).toEqual(['speech.mp3', 'audio/mpeg', mp3Silence().length]);
    expect(server.requests[0]?.fields).toEqual({
      model: 'gpt-4o-mini-tts',
      input: 'Good morning.',
      voice: 'alloy',
      speed: 1.2,
      response_format: 'mp3',
    });
  });

  it('of a long text is put together of what the service takes at once', async () => {
    const { server, media } = await open('tts-1');
    const text = `${'A sentence that is read aloud. '.repeat(200)}The end.`;
    const spoken = await media.speak(text, { response_format: 'wav' }, idle);
    const inputs = server.requests.map(({ fields }) => String(fields.input));
    expect(inputs.length).toBeGreaterThan(3);
    expect(inputs.join(' ')).toBe(text);
    expect(inputs.every((input) => input.endsWith('.'))).toBe(true);
    expect(spoken.name).toBe('speech.mp3');
    expect(spoken.bytes.length).toBe(inputs.length * mp3Silence().length);
  });

  it('is no web page', async () => {
    const { server, media } = await open('tts-1');
    server.push({ status: 200, body: '{"error":"no voice"}' });
    expect((await failure(media.speak('Hello', {}, idle))).code).toBe('model_bad_answer');
  });
});

describe('failures', () => {
  it('have the codes of a chat model, and never the key', async () => {
    const { server, media } = await open('gpt-image-1');
    const wrong = createOpenAIMedia({ baseURL: server.baseURL, apiKey: 'sk-other-0987654321', model: 'gpt-image-1' });
    const denied = await failure(wrong.generateImages('a roof', {}, idle));
    expect(denied.code).toBe('model_unauthorized');
    expect(`${denied} ${denied.detail}`).not.toContain('0987654321');
    const unknown = createOpenAIMedia({ baseURL: server.baseURL, apiKey: KEY, model: 'gpt-9' });
    expect((await failure(unknown.generateImages('a roof', {}, idle))).code).toBe('model_not_found');
    server.push({ status: 429, body: '{"error":{"message":"slow down"}}', headers: { 'retry-after': '7' } });
    expect(await failure(media.generateImages('a roof', {}, idle))).toMatchObject({
      code: 'model_rate_limited',
      next: 'wait 7 s, then send again',
    });
    server.push({ status: 500, body: 'oops' });
    expect((await failure(media.speak('Hello', {}, idle))).code).toBe('model_server_error');
    server.push({ status: 200, body: '<!doctype html>' });
    expect((await failure(media.generateImages('a roof', {}, idle))).code).toBe('model_bad_answer');
    expect((await failure(media.generateImages('a roof', { size: '7x7' }, idle))).code).toBe('model_bad_request');
  });

  it('of a server that is not there, of an address that is none', async () => {
    const gone = createOpenAIMedia({ baseURL: 'http://127.0.0.1:9/v1', apiKey: '', model: 'tts-1' });
    expect((await failure(gone.speak('Hello', {}, idle))).code).toBe('model_unreachable');
    const none = createOpenAIMedia({ baseURL: 'nowhere', apiKey: '', model: 'tts-1' });
    expect((await failure(none.speak('Hello', {}, idle))).message).toContain('is not a web address');
  });

  it('a stop ends the request, and a silent server ends it, too', async () => {
    const { server, media } = await open('gpt-image-1');
    const stop = new AbortController();
    server.push({ hold: new Promise(() => undefined) });
    const asked = failure(media.generateImages('a roof', {}, stop.signal));
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect((await asked).code).toBe('aborted');
    expect((await failure(media.generateImages('a roof', {}, stop.signal))).code).toBe('aborted');
    expect(server.requests).toHaveLength(1);

    const impatient = createOpenAIMedia({ baseURL: server.baseURL, apiKey: KEY, model: 'gpt-image-1', timeoutMs: 1 });
    server.push({ hold: new Promise(() => undefined) });
    expect(await failure(impatient.generateImages('a roof', {}, idle))).toMatchObject({ code: 'model_unreachable' });
  });
});

describe('headers of a provider of SiYuan', () => {
  it.each([
    ['a picture', (media: MediaModel) => media.generateImages('a roof', {}, idle)],
    ['a form', (media: MediaModel) => media.transcribe(recording(), {}, idle)],
  ])('go along with %s, filled in, in the place of our own; what says how the body is written stays', async (_name, ask) => {
    const sent: Headers[] = [];
    const fetch = async (_url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      sent.push(new Request('http://127.0.0.1', { ...init, signal: null }).headers);
      return Response.json({ text: 'Hello', data: [{ b64_json: Buffer.from(pngPicture(1)).toString('base64') }] });
    };
    const media = createOpenAIMedia({
      ...{ baseURL: 'https://media.example/v1', apiKey: KEY, model: 'gpt-image-1', fetch },
      headers: { Authorization: 'Key {{secrets.MEDIA}}', 'X-Team': '$TEAM', 'Content-Type': 'text/plain' },
      hostConfig: () => ({
        secrets: { items: [{ name: 'MEDIA', value: 's3' }] },
        variables: { items: [{ name: 'TEAM', value: 'notes' }] },
      }),
    });
    await ask(media);
    const [headers] = sent;
    expect([headers?.get('authorization'), headers?.get('x-team')]).toEqual(['Key s3', 'notes']);
    expect(headers?.get('content-type')).toMatch(/^(?:application\/json|multipart\/form-data; boundary=)/u);
  });
});
