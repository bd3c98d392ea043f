import { ToolError } from '../../tools/contract/errors.ts';
import type { ChatOption, CompletionRequest } from '../../tools/contract/messages.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { LanguageModel } from '../language-model.ts';
import type { MediaModel } from '../media/media-model.ts';
import { isMasking, type PrivacySettings } from './privacy-fields.ts';

const masking = lazyPart(() => import('./masking.ts'));

const mediaOf = (find: (signal: AbortSignal) => Promise<MediaModel>): MediaModel => ({
  generateImages: async (prompt, options, signal, onRetry) => (await find(signal)).generateImages(prompt, options, signal, onRetry),
  editImages: async (prompt, pictures, options, signal, onRetry) =>
    (await find(signal)).editImages(prompt, pictures, options, signal, onRetry),
  transcribe: async (recording, options, signal, onRetry) => (await find(signal)).transcribe(recording, options, signal, onRetry),
  speak: async (text, options, signal, onRetry) => (await find(signal)).speak(text, options, signal, onRetry),
});

/** Sends placeholders for the private values of `privacy`, read for each request; rejects unsent with `privacy_invalid` or `not_loaded`. */
export function maskedModel(inner: LanguageModel, privacy: () => PrivacySettings, options: ChatOption = {}): LanguageModel {
  const { media, prepare } = inner;
  const withOptions = (request: CompletionRequest): CompletionRequest => ({
    ...request,
    chatOption: { ...options, ...request.chatOption },
  });
  const maskedOr = async (signal: AbortSignal): Promise<MediaModel> => {
    const now = privacy();
    if (!media) throw new ToolError('internal', 'this model generates neither images nor speech', 'choose another model');
    return isMasking(now) ? (await orAborted(masking(), signal)).maskedMedia(media, now) : media;
  };
  return {
    ...inner,
    ...(media ? { media: mediaOf(maskedOr) } : {}),
    ...(prepare
      ? {
          prepare: async (request, signal) => {
            const now = privacy();
            if (!isMasking(now)) return prepare(request, signal);
            const { maskedRequest } = await orAborted(masking(), signal);
            return prepare(await maskedRequest(now, withOptions(request)), signal);
          },
        }
      : {}),
    async complete(request, signal, onDelta) {
      const now = privacy();
      if (!isMasking(now)) return inner.complete(request, signal, onDelta);
      const { completeMasked } = await orAborted(masking(), signal);
      return completeMasked(inner.complete, now, withOptions(request), signal, onDelta);
    },
  };
}
