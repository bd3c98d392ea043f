import type { ChatOption } from '../../tools/contract/messages.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { latePart } from '../../tools/util/late.ts';
import type { LanguageModel } from '../language-model.ts';
import { isMasking, type PrivacySettings } from './privacy-fields.ts';

const masking = latePart(() => import('./masked-complete.ts'));

/**
 * A model whose requests leave with placeholders for what is private (`privacy`, read anew for each request), and whose answers come
 * back with the values. Rejects with `privacy_invalid` or `not_loaded`, and sends nothing, where it cannot mask. `options`: what the
 * inner model would add to a request by itself.
 */
export function maskedModel(inner: LanguageModel, privacy: () => PrivacySettings, options: ChatOption = {}): LanguageModel {
  return {
    ...inner,
    async complete(request, signal, onDelta) {
      const now = privacy();
      if (!isMasking(now)) return inner.complete(request, signal, onDelta);
      const { completeMasked } = await orAborted(masking(), signal);
      const whole = { ...request, chatOption: { ...options, ...request.chatOption } };
      return completeMasked(inner.complete, now, whole, signal, onDelta);
    },
  };
}
