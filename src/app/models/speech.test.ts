import { describe, expect, it } from 'vitest';
import { createMemoryAssets } from '../../chat/testing/memory-assets.ts';
import { openSettings } from '../../host/settings/settings.ts';
import { MAX_RECORDING_BYTES, type MediaModel } from '../../model/media/media-model.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ChatOption } from '../../tools/contract/messages.ts';
import type { ProviderEntry } from '../../ui/ports/models-port.ts';
import type { ChooseModel } from '../workspace/chat-model.ts';
import { createSpeech, speechProviders } from './speech.ts';

const idle = new AbortController().signal;
const recording = (size: number) => ({ name: 'recording', mime: 'audio/webm', bytes: new Uint8Array(size) });

async function open(models: object, problem?: EventError) {
  const storage = { read: async () => JSON.stringify({ schema: 1, models }), write: async () => undefined, list: async () => [] };
  const settings = await openSettings(storage, { get: () => undefined, set: () => undefined }, () => 1);
  const asked: (readonly [model: string, method: keyof MediaModel, options: ChatOption])[] = [];
  const uses: string[] = [];
  const mediaOf = (model: string): MediaModel => {
    const note = (method: keyof MediaModel, options: ChatOption) => void asked.push([model, method, options]);
    return {
      generateImages: () => Promise.reject(),
      editImages: () => Promise.reject(),
      async transcribe(_recording, options) {
        note('transcribe', options);
        return { text: 'words' };
      },
      async speak(_text, options) {
        note('speak', options);
        return { name: 'speech.mp3', mime: 'audio/mpeg', bytes: new Uint8Array([1]) };
      },
    };
  };
  const model: ChooseModel = (use, ref = { providerId: '', model: '' }) => {
    uses.push(use.purpose);
    const status = { label: ref.model, kind: 'ready' as const };
    if (problem) return { status, model: null, problem };
    return { status, model: { label: ref.model, model: ref.model, complete: () => Promise.reject(), media: mediaOf(ref.model) } };
  };
  const assets = createMemoryAssets();
  return { asked, uses, assets, speech: createSpeech({ settings, model, assets, providers: () => [{ id: 'custom', name: 'Mine' }] }) };
}

const both = {
  speechToText: { providerId: 'custom', model: 'listener' },
  textToSpeech: { providerId: 'p', model: 'speaker', voice: 'nova' },
};

describe('speech by the models of the settings', () => {
  it('is there where a model is set, each for itself', async () => {
    expect((await open({})).speech.available()).toEqual({ transcribe: false, speak: false });
    expect((await open({ speechToText: both.speechToText })).speech.available()).toEqual({ transcribe: true, speak: false });
    expect((await open({ textToSpeech: { ...both.textToSpeech, model: '' } })).speech.available()).toEqual({
      transcribe: false,
      speak: false,
    });
  });

  it('asks the model that is meant for it, in the voice that is set', async () => {
    const { speech, asked, uses } = await open(both);
    expect(await speech.transcribe(recording(3), idle)).toBe('words');
    expect((await speech.speak('Hello', idle)).name).toBe('speech.mp3');
    expect(asked).toEqual([
      ['listener', 'transcribe', {}],
      ['speaker', 'speak', { voice: 'nova' }],
    ]);
    expect(uses).toEqual(['transcription', 'speech']);
  });

  it('sends no recording that is larger than 25 MB', async () => {
    const { speech, asked } = await open(both);
    await expect(speech.transcribe(recording(MAX_RECORDING_BYTES + 1), idle)).rejects.toMatchObject({ code: 'media_too_large' });
    expect(asked).toEqual([]);
  });

  it('says what holds for its model as for one of a chat: none is set, or it may not be asked', async () => {
    await expect((await open({})).speech.speak('Hello', idle)).rejects.toMatchObject({ code: 'model_missing' });
    const closed = { code: 'local_only', message: 'only local models are allowed', next: 'choose a local model' } as const;
    await expect((await open(both, closed)).speech.transcribe(recording(3), idle)).rejects.toMatchObject(closed);
  });

  it('is set and taken away on the settings page, the one without the other', async () => {
    const { speech } = await open({ ...both, title: { providerId: 'p', model: 'm' } });
    await speech.setModel('speechToText', { providerId: 'custom', model: 'other' });
    expect(speech.model('speechToText')).toEqual({ providerId: 'custom', model: 'other' });
    await speech.setModel('textToSpeech', undefined);
    expect(speech.available()).toEqual({ transcribe: true, speak: false });
    expect(speech.model('textToSpeech')).toBeUndefined();
  });

  it('keeps a recording as an asset', async () => {
    const { speech, assets } = await open(both);
    expect(await speech.save({ name: 'speech.mp3', mime: 'audio/mpeg', bytes: new Uint8Array(2) }, idle)).toBe('assets/1-speech.mp3');
    expect(assets.files.size).toBe(1);
  });
});

it('is offered by providers that were set up, and not by what the development host serves', () => {
  const entry = (kind: ProviderEntry['kind']): ProviderEntry => ({ id: kind, name: kind, baseURL: '', kind, hasKey: false, models: [] });
  const all = (['siyuan', 'custom', 'served', 'local'] as const).map(entry);
  expect(speechProviders(all).map(({ id }) => id)).toEqual(['siyuan', 'custom']);
});
