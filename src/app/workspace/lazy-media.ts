import type { LanguageModel, ModelSettings } from '../../model/language-model.ts';
import type { MediaModel } from '../../model/media/media-model.ts';
import type { createOpenAIMedia } from '../../model/media/openai-media.ts';
import { guessModalType } from '../../model/modal-type.ts';
import { lazyMethods, lazyPart } from '../../tools/util/lazy.ts';

/** Loads the client for pictures and speech. Rejects with `not_loaded`. */
export type LoadMedia = () => Promise<typeof createOpenAIMedia>;

const METHODS = { generateImages: true, editImages: true, transcribe: true, speak: true } as const;

/** What a model can do with pictures and speech, decided by its name; the client is loaded for the first request. */
export function mediaOf(settings: ModelSettings, load: LoadMedia): Pick<LanguageModel, 'type' | 'media'> {
  const media = lazyMethods<MediaModel>(
    lazyPart(async () => (await load())(settings)),
    METHODS,
  );
  return { type: guessModalType(settings.model), media };
}
