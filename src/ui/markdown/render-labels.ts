import type { Translate } from '../ports/i18n.ts';
import type { RenderOptions } from './render.ts';

/** What a rendered answer says by itself, in the panel's language. */
export const renderWords = (t: Translate): RenderOptions['words'] => ({
  unverified: t('cite.unverified'),
  unread: t('cite.unverifiedHint'),
  source: t('cite.source'),
  image: t('cite.image'),
});
