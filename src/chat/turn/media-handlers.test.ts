import { describe, expect, it } from 'vitest';
import type { MediaFile } from '../../model/media/media-model.ts';
import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import { createMemoryAssets } from '../testing/memory-assets.ts';
import { counter } from '../testing/samples.ts';
import { createAudioHandler, createImageHandler, createMediaHandlers, type MediaRequest } from './media-handlers.ts';

const png = (name: string): MediaFile => ({ name, mime: 'image/png', bytes: new Uint8Array([1]) });
const stopped = new ToolError('aborted', 'the answer was stopped', 'send again');
const full = new ToolError('storage_failed', 'the disk is full', 'make room');

/** Saves as many files as are given, then fails. */
function assetsThatFail(after: number, error: ToolError) {
  const assets = createMemoryAssets();
  return {
    read: assets.read,
    save: (...file: Parameters<typeof assets.save>) => (assets.files.size < after ? assets.save(...file) : Promise.reject(error)),
  };
}

const request = (media: object): MediaRequest =>
  ({ text: 'two roofs', attachments: [], model: { label: 'm', media }, options: {}, signal: new AbortController().signal }) as never;

describe('of several pictures', () => {
  const media = {
    generateImages: async () => ({
      pictures: [png('a.png'), png('b.png')],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }),
  };
  const make = (after: number, error: ToolError) =>
    createImageHandler({ assets: assetsThatFail(after, error), newId: counter('f') }).generate(request(media));

  it('those that were saved stay when the answer is stopped, or there is no room for the next', async () => {
    const first = {
      content: '![two roofs](assets/1-two-roofs.png)',
      files: [{ asset: 'assets/1-two-roofs.png' }],
      usage: { total_tokens: 3 },
    };
    expect(await make(1, stopped)).toMatchObject({ ...first, status: 'stopped' });
    expect(await make(1, full)).toMatchObject({ ...first, status: 'error', error: { code: 'storage_failed' } });
  });

  it('none is no answer', async () => {
    await expect(make(0, stopped)).rejects.toBe(stopped);
  });
});

it('of several recordings those that were heard stay', async () => {
  const texts = ['Hello'];
  const transcribe = async () => {
    const [text] = texts.splice(0, 1);
    if (text === undefined) throw stopped;
    return { text };
  };
  const assets = createMemoryAssets();
  const asset = await assets.save('a.mp3', new Uint8Array([1]), 'audio/mpeg', new AbortController().signal);
  const file = { id: 'f', kind: 'audio', name: 'a.mp3', mime: 'audio/mpeg', size: 1, asset };
  const asked = { ...request({ transcribe }), attachments: [file, file] };
  expect(await createAudioHandler({ assets, newId: counter('f') }).transcribe(asked)).toMatchObject({
    content: 'Hello',
    status: 'stopped',
  });
});

it.each([
  ['a picture', 'image', 'generate', 'generateImages'],
  ['a changed picture', 'image', 'edit', 'editImages'],
  ['a transcript', 'audio', 'transcribe', 'transcribe'],
  ['speech', 'audio', 'speak', 'speak'],
] as const)('Stop ends a request for %s that ignores the signal', async (_what, kind, method, port) => {
  const assets = createMemoryAssets();
  const asset = await assets.save('a.mp3', new Uint8Array([1]), 'audio/mpeg', new AbortController().signal);
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const never = () => {
    begun.resolve();
    return new Promise<never>(() => undefined);
  };
  const file = { id: 'f', kind: 'audio', name: 'a.mp3', mime: 'audio/mpeg', size: 1, asset } as const;
  const asked = { ...request({ [port]: never }), attachments: [file], signal: stop.signal };
  const options = { assets, newId: counter('f') };
  const handlers = createMediaHandlers(options);
  const answer = (handlers[kind] as unknown as Record<string, (asked: MediaRequest) => Promise<unknown>>)[method]!(asked);
  await begun.promise;
  stop.abort();
  expect(toToolError(await answer.catch((thrown: unknown) => thrown)).code).toBe('aborted');
});
