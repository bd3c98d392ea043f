import type { SettingsStore } from '../host/settings/settings.ts';
import type { MessageKey, Translate } from '../ui/ports/i18n.ts';
import { escapeHtml } from './escape-html.ts';

/** Milliseconds that a message stays; 0: until it is closed. */
type Show = (html: string, stays: number) => void;

const COUNTS: Readonly<Record<SettingsStore['damage'][number]['counts'], MessageKey>> = {
  default: 'settings.damage.default',
  none: 'settings.damage.none',
  off: 'settings.damage.off',
  on: 'settings.damage.on',
  asks: 'settings.damage.asks',
  zero: 'settings.damage.zero',
  stops: 'settings.damage.stops',
  'left-out': 'settings.damage.left-out',
  read: 'settings.damage.read',
  lost: 'settings.damage.lost',
};

/** The maximum number of damaged values that are named. */
const NAMED = 8;

/** Which values could not be read, with their replacements; undefined if all could be. */
function damageSentence({ damage }: Pick<SettingsStore, 'damage'>, t: Translate): string | undefined {
  if (damage.length === 0) return undefined;
  const named = damage.slice(0, NAMED).map(({ at, counts }) => t(COUNTS[counts], { at }));
  const more = damage.length > NAMED ? [t('settings.damage.more', { n: damage.length - NAMED })] : [];
  return t('notice.settings-damaged', { list: [...named, ...more].join(t('settings.damage.separator')) });
}

/** Reports what is wrong with the settings file, now and when a sync brings a new problem. */
export function announceSettings(settings: Pick<SettingsStore, 'problem' | 'damage' | 'subscribe'>, t: Translate, show: Show): void {
  let announced: string | undefined;
  const announceDamage = (): void => {
    const sentence = damageSentence(settings, t);
    if (sentence !== undefined && sentence !== announced) show(escapeHtml(sentence), 0);
    announced = sentence;
  };
  if (settings.problem && (settings.problem !== 'settings-broken' || settings.damage.length === 0))
    show(escapeHtml(t(`notice.${settings.problem}`)), 8000);
  announceDamage();
  settings.subscribe(announceDamage);
}
