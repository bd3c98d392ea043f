import type { LanguageModel, ModelSettings } from '../model/language-model.ts';
import type { MediaModel } from '../model/media/media-model.ts';
import type { createOpenAIMedia } from '../model/media/openai-media.ts';
import { guessModalType } from '../model/modal-type.ts';
import { lateMethods, latePart } from '../tools/util/late.ts';

/** What asks for pictures and speech. Rejects with `not_loaded`. */
export type LoadMedia = () => Promise<typeof createOpenAIMedia>;

const METHODS = { generateImages: true, editImages: true, transcribe: true, speak: true } as const;

/** A model for pictures or speech; what sends its requests is loaded for the first one. */
export function lateMedia(settings: ModelSettings, load: LoadMedia): MediaModel {
  return lateMethods<MediaModel>(
    latePart(async () => (await load())(settings)),
    METHODS,
  );
}

/** What a model is besides one for chats, by its name; nothing for one that chats. */
export function mediaOf(settings: ModelSettings, load: LoadMedia): Pick<LanguageModel, 'type' | 'media'> {
  const type = guessModalType(settings.model);
  return type === 'chat' ? {} : { type, media: lateMedia(settings, load) };
}
