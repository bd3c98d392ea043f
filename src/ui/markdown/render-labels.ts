import type { Translate } from '../ports/i18n.ts';
import type { RenderOptions } from './render.ts';

/** Texts that a rendered answer adds, in the panel's language. */
export const renderWords = (t: Translate): RenderOptions['words'] => ({
  unverified: t('cite.unverified'),
  unread: t('cite.unverifiedHint'),
  source: t('cite.source'),
  image: t('cite.image'),
});
