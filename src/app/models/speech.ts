import type { AssetStore } from '../../chat/ports/assets.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import { MAX_RECORDING_BYTES, type MediaModel } from '../../model/media/media-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ProviderEntry } from '../../ui/ports/models-port.ts';
import type { SpeechPort } from '../../ui/ports/speech-port.ts';
import type { ChooseModel } from '../workspace/chat-model.ts';

export interface SpeechDeps {
  readonly settings: Pick<SettingsStore, 'get' | 'update'>;
  readonly providers: SpeechPort['providers'];
  /** A model by its reference, with everything that applies to models of a chat: keys, masking, "Local only". */
  readonly model: ChooseModel;
  readonly assets: AssetStore;
}

/** Those that may have speech models: set up in SiYuan or here. The development host has only text. */
export function speechProviders(providers: readonly ProviderEntry[]): readonly ProviderEntry[] {
  return providers.filter(({ kind }) => kind === 'siyuan' || kind === 'custom');
}

/** Speech for the panel, with the models chosen in the settings. */
export function createSpeech({ settings, providers, model, assets }: SpeechDeps): SpeechPort {
  const mediaFor = (use: 'speechToText' | 'textToSpeech'): MediaModel => {
    const ref = settings.get().models[use];
    const missing = { code: 'model_missing' as const, message: 'no model for speech is set', next: 'choose one in the settings' };
    if (!ref) throw new ToolError(missing.code, missing.message, missing.next);
    const { model: found, problem = missing } = model({ purpose: use === 'textToSpeech' ? 'speech' : 'transcription' }, ref);
    if (!found?.media) throw new ToolError(problem.code, problem.message, problem.next);
    return found.media;
  };
  return {
    available() {
      const { speechToText, textToSpeech } = settings.get().models;
      return { transcribe: Boolean(speechToText?.model), speak: Boolean(textToSpeech?.model) };
    },
    providers,
    model: (use) => settings.get().models[use],
    setModel: (use, chosen) =>
      settings.update(({ models: { [use]: _before, ...models } }) => ({ models: chosen ? { ...models, [use]: chosen } : models })),
    async transcribe(recording, signal) {
      if (recording.bytes.length > MAX_RECORDING_BYTES)
        throw new ToolError('media_too_large', 'the recording is larger than 25 MB', 'record a shorter piece');
      return (await mediaFor('speechToText').transcribe(recording, settings.get().chatOption, signal)).text;
    },
    async speak(text, signal) {
      const { chatOption, models } = settings.get();
      const voice = models.textToSpeech?.voice;
      return mediaFor('textToSpeech').speak(text, { ...chatOption, ...(voice ? { voice } : {}) }, signal);
    },
    save: ({ name, bytes, mime }, signal) => assets.save(name, bytes, mime, signal),
  };
}
