import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../model/language-model.ts';
import type { MediaFile, MediaModel } from '../../model/media/media-model.ts';
import type { ModalType } from '../../model/modal-type.ts';
import { createGate } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ChatOption } from '../../tools/contract/messages.ts';
import { readSession } from '../session/saved-format.ts';
import type { Attachment } from '../session/types.ts';
import { createMemoryAssets } from '../testing/memory-assets.ts';
import { type OpenChat, openChat } from '../testing/open-chat.ts';
import { modalTypeOf, preValidateModalType } from './modal-types.ts';

const MEGABYTE = 1024 * 1024;
const file = (kind: Attachment['kind'], name: string, mime: string, size = 3): Attachment => ({
  ...{ id: name, kind, name, mime, size },
  asset: `assets/${name}`,
});
const picture = file('image', 'house.png', 'image/png');
const recording = file('audio', 'note.m4a', 'audio/mp4');
const pdf = file('pdf', 'plan.pdf', 'application/pdf');

describe('preValidateModalType', () => {
  it.each<readonly [ModalType, string, readonly Attachment[], string | null]>([
    ['chat', '', [pdf, picture], null],
    ['image-gen', 'a roof', [], null],
    ['image-gen', ' ', [], 'media_no_text'],
    ['image-gen', 'a roof', [picture], 'media_wrong_file'],
    ['image-edit', 'blue', [picture, picture], null],
    ['image-edit', 'blue', [], 'media_no_picture'],
    ['image-edit', '', [picture], 'media_no_text'],
    ['image-edit', 'blue', [picture, pdf], 'media_wrong_file'],
    ['image-edit', 'blue', [file('image', 'a.gif', 'image/gif')], 'media_wrong_file'],
    ['audio-stt', '', [recording], null],
    ['audio-stt', 'words', [], 'media_no_recording'],
    ['audio-stt', '', [recording, picture], 'media_wrong_file'],
    ['audio-stt', '', [file('audio', 'a.wav', 'audio/wav', 25 * MEGABYTE)], null],
    ['audio-stt', '', [file('audio', 'a.wav', 'audio/wav', 25 * MEGABYTE + 1)], 'media_too_large'],
    ['audio-tts', 'words', [], null],
    ['audio-tts', '', [], 'media_no_text'],
    ['audio-tts', 'words', [pdf], 'media_wrong_file'],
  ])('%s with "%s" and %j: %s', (modelType, text, attachments, code) => {
    const found = preValidateModalType(modelType, { text, attachments, contexts: [] });
    expect(found?.code ?? null).toBe(code);
    expect(found?.next === '').toBe(false);
  });

  it.each<ModalType>(['image-gen', 'image-edit', 'audio-stt', 'audio-tts'])('%s takes no notes', (modelType) => {
    expect(preValidateModalType(modelType, { text: 'x', attachments: [], contexts: [{ kind: 'block' }] })?.code).toBe('media_no_notes');
    expect(preValidateModalType(modelType, { text: 'x', attachments: [], contexts: [{ kind: 'open' }] })?.code).not.toBe('media_no_notes');
  });

  it('names the file that is too large or wrong', () => {
    const large = file('audio', 'lecture.wav', 'audio/wav', 30 * MEGABYTE);
    expect(preValidateModalType('audio-stt', { text: '', attachments: [large], contexts: [] })?.message).toContain('"lecture.wav"');
    expect(preValidateModalType('audio-stt', { text: '', attachments: [pdf], contexts: [] })?.message).toContain('"plan.pdf"');
  });
});

it('takes a picture beside the words for a change where the model makes changes', () => {
  const type = (model: string, given: readonly Attachment[], known?: ModalType) =>
    modalTypeOf({ label: '', model, complete: () => Promise.reject(), ...(known ? { type: known } : {}) }, given);
  expect(type('gpt-image-1', [], 'image-gen')).toBe('image-gen');
  expect(type('gpt-image-1', [picture], 'image-gen')).toBe('image-edit');
  expect(type('dall-e-3', [picture], 'image-gen')).toBe('image-gen');
  expect(type('gpt-4o', [picture])).toBe('chat');
});

interface Call {
  readonly method: keyof MediaModel;
  readonly prompt: string;
  readonly names: readonly string[];
  readonly options: ChatOption;
}

/** Models for pictures and speech that do nothing but answer. */
function fakeMedia(before: (signal: AbortSignal) => Promise<void> = async () => undefined) {
  const calls: Call[] = [];
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const made = (name: string, mime: string): MediaFile => ({ name, mime, bytes: new Uint8Array([calls.length]) });
  const note = async (method: keyof MediaModel, prompt: string, files: readonly MediaFile[], options: ChatOption, signal: AbortSignal) => {
    calls.push({ method, prompt, names: files.map(({ name }) => name), options });
    await before(signal);
  };
  const media: MediaModel = {
    async generateImages(prompt, options, signal) {
      await note('generateImages', prompt, [], options, signal);
      return { pictures: [made('picture.png', 'image/png'), made('picture.png', 'image/png')], usage };
    },
    async editImages(prompt, pictures, options, signal) {
      await note('editImages', prompt, pictures, options, signal);
      return { pictures: [made('picture.webp', 'image/webp')] };
    },
    async transcribe(given, options, signal) {
      await note('transcribe', '', [given], options, signal);
      return { text: `words of ${given.name}`, usage };
    },
    async speak(text, options, signal) {
      await note('speak', text, [], options, signal);
      return made('speech.mp3', 'audio/mpeg');
    },
  };
  return { media, calls };
}

async function open(type: ModalType, before?: (signal: AbortSignal) => Promise<void>) {
  const { media, calls } = fakeMedia(before);
  const assets = createMemoryAssets();
  const chosen: { type: ModalType } = { type };
  const complete: LanguageModel['complete'] = () => Promise.reject(new Error('a chat was asked'));
  const model = () => ({
    status: { label: 'Media', kind: 'ready' as const },
    model: { label: 'Media', model: `media-${chosen.type}`, type: chosen.type, media, complete },
  });
  const settings = () => ({ systemPrompt: '', chatOption: { size: '1024x1024' }, toolCallMaxRounds: 10 });
  return { calls, assets, chosen, ...(await openChat({ deps: { assets, model, settings } })) };
}

const attach = ({ chat }: OpenChat, kind: Attachment['kind'], name: string, mime: string, size = 2) =>
  chat.attach({ kind, name, mime, bytes: new Uint8Array(size) });
const words = ({ chat }: OpenChat) =>
  chat.view().messages.map(({ segments }) => segments.map((one) => ('text' in one ? one.text : '')).join(''));

describe('executeByModalType', () => {
  it('makes pictures: saved as assets under a name from the question, in the answer as Markdown, and in the file', async () => {
    const opened = await open('image-gen');
    await opened.chat.send('A white roof, [seen] from "above"!');
    expect(opened.calls).toMatchObject([{ method: 'generateImages', prompt: 'A white roof, [seen] from "above"!' }]);
    expect(opened.calls[0]?.options).toMatchObject({ size: '1024x1024' });
    const [, answer] = opened.chat.view().messages;
    expect([...opened.assets.files.keys()]).toEqual([
      'assets/1-A-white-roof-seen-from-above.png',
      'assets/2-A-white-roof-seen-from-above.png',
    ]);
    expect(words(opened)[1]).toBe(
      [1, 2].map((n) => `![A white roof seen from above](assets/${n}-A-white-roof-seen-from-above.png)`).join('\n\n'),
    );
    expect(answer).toMatchObject({ status: 'done', author: 'media-image-gen', usage: { total_tokens: 3 } });
    expect(answer?.files?.map(({ kind, mime, size }) => [kind, mime, size])).toEqual([
      ['image', 'image/png', 1],
      ['image', 'image/png', 1],
    ]);
    const saved = readSession((await opened.storage.read(`sessions/${opened.chat.view().sessionId}.json`)) ?? '');
    const nodes = saved.kind === 'ok' ? Object.values(saved.session.nodes) : [];
    expect(nodes.flatMap((node) => Object.values(node.versions)).at(-1)?.files).toEqual(answer?.files);
  });

  it('names a picture after the beginning of a long question, in whole letters', async () => {
    const opened = await open('image-gen');
    await opened.chat.send(`${'a'.repeat(39)}e\u0301 and much more`);
    expect([...opened.assets.files.keys()][0]).toBe(`assets/1-${'a'.repeat(39)}.png`);
  });

  it('has no file of an answer anywhere but among the assets, also in a chat that comes from elsewhere', async () => {
    const opened = await open('audio-tts');
    await opened.chat.send('Good morning.');
    const text = (await opened.storage.read(`sessions/${opened.chat.view().sessionId}.json`)) ?? '';
    expect(readSession(text).kind).toBe('ok');
    expect(
      readSession(text.replaceAll('"asset": "assets/', '"asset": "assets/../').replaceAll('"asset":"assets/', '"asset":"assets/../')).kind,
    ).toBe('broken');
  });

  it('changes the pictures that go with the question, and again with a new version', async () => {
    const opened = await open('image-edit');
    await attach(opened, 'image', 'house.png', 'image/png');
    await opened.chat.send('make it blue');
    expect(opened.calls).toMatchObject([{ method: 'editImages', prompt: 'make it blue', names: ['house.png'] }]);
    await opened.chat.rerun(opened.chat.view().messages[1]!.nodeId);
    expect(opened.calls).toHaveLength(2);
    expect(opened.chat.view().messages[1]).toMatchObject({
      position: { version: 2, versions: 2 },
      files: [{ asset: 'assets/3-make-it-blue.webp' }],
    });
  });

  it('writes down recordings, one after another; words beside them are a hint', async () => {
    const opened = await open('audio-stt');
    await attach(opened, 'audio', 'one.m4a', 'audio/mp4');
    await attach(opened, 'audio', 'two.mp3', 'audio/mpeg');
    await opened.chat.send('Apollo, Lena');
    expect(opened.calls.map(({ names, options }) => [names, options.prompt])).toEqual([
      [['one.m4a'], 'Apollo, Lena'],
      [['two.mp3'], 'Apollo, Lena'],
    ]);
    expect(words(opened)[1]).toBe('words of one.m4a\n\nwords of two.mp3');
    expect(opened.chat.view().messages[1]?.usage?.total_tokens).toBe(6);
  });

  it('speaks: the recording is an asset', async () => {
    const opened = await open('audio-tts');
    await opened.chat.send('Good morning.');
    expect(opened.calls).toMatchObject([{ method: 'speak', prompt: 'Good morning.' }]);
    expect(words(opened)[1]).toBe('[Good-morning.mp3](assets/1-Good-morning.mp3)');
    expect(opened.chat.view().messages[1]?.files).toMatchObject([
      { kind: 'audio', mime: 'audio/mpeg', asset: 'assets/1-Good-morning.mp3' },
    ]);
  });

  it('gives no tools, no prompt and no history to any of them', async () => {
    const opened = await open('image-gen');
    await opened.chat.send('first');
    await opened.chat.send('second');
    expect(opened.calls[1]).toMatchObject({ prompt: 'second', names: [] });
    expect(opened.events.map(({ type }) => type)).toEqual(['turn-start', 'turn-end', 'turn-start', 'turn-end']);
  });
});

describe('a question that its model cannot take', () => {
  it('is not sent: it stands in the composer again with its files, and a notice says why', async () => {
    const opened = await open('image-edit');
    await opened.chat.send('make it blue');
    expect(opened.calls).toEqual([]);
    expect(opened.chat.view().messages).toEqual([]);
    expect(opened.chat.typed.draft).toBe('make it blue');
    expect(opened.chat.view().notice?.code).toBe('media_no_picture');
    await attach(opened, 'image', 'house.png', 'image/png');
    await opened.chat.send('make it blue');
    expect(opened.calls).toHaveLength(1);
    expect(opened.chat.view().notice).toBeUndefined();
  });

  it('keeps a recording that is too large attached, and never reads it', async () => {
    const opened = await open('audio-stt');
    await attach(opened, 'audio', 'lecture.wav', 'audio/wav', 25 * MEGABYTE + 1);
    await opened.chat.send('');
    expect(opened.chat.view().notice?.code).toBe('media_too_large');
    expect(opened.chat.view().attachments).toHaveLength(1);
    expect(opened.assets.reads).toEqual([]);
  });

  it('asked again of another model, says so on its answer, and nothing is sent', async () => {
    const opened = await open('image-gen');
    await opened.chat.send('a roof');
    opened.chosen.type = 'audio-stt';
    await opened.chat.rerun(opened.chat.view().messages[1]!.nodeId);
    expect(opened.calls).toHaveLength(1);
    expect(opened.chat.view().messages[1]).toMatchObject({ status: 'error', error: { code: 'media_no_recording' } });
  });
});

describe('a turn with a picture', () => {
  it('can be stopped: the message says so, and nothing is saved', async () => {
    const gate = createGate();
    const opened = await open('image-gen', async (signal) => {
      await gate.pass(signal);
      if (signal.aborted) throw new ToolError('aborted', 'the answer was stopped', '');
    });
    const sent = opened.chat.send('a roof');
    await gate.reached;
    opened.chat.stop();
    await sent;
    expect(opened.chat.view().messages[1]).toMatchObject({ status: 'stopped', segments: [] });
    expect(opened.assets.files.size).toBe(0);
  });

  it('that fails says why, and is made with Retry', async () => {
    let fails = true;
    const opened = await open('image-gen', async () => {
      if (fails) throw new ToolError('model_rate_limited', 'too many requests', 'wait 7 s');
    });
    await opened.chat.send('a roof');
    expect(opened.chat.view().messages[1]).toMatchObject({ status: 'error', error: { code: 'model_rate_limited' } });
    fails = false;
    await opened.chat.rerun(opened.chat.view().messages[1]!.nodeId);
    expect(opened.chat.view().messages[1]).toMatchObject({ status: 'done' });
  });
});
