import { expect, it } from 'vitest';
import en from '../../i18n/en_US.json';
import zh from '../../i18n/zh_CN.json';
import { parseSettings } from '../host/settings/parse-settings.ts';
import { createTranslate } from '../ui/ports/i18n.ts';
import { announceSettings } from './settings-notice.ts';

it.each([
  ['English', en, /notebooks\.n&#60;b&#62; \(none\), budget\.day \(0\)/u],
  ['Chinese', zh, /notebooks\.n&#60;b&#62;（按“无”处理）、budget\.day（按 0 处理）/u],
] as const)('names what could not be read and what counts instead, once: %s', (_language, words, expected) => {
  const shown: [string, number][] = [];
  let told = (): void => undefined;
  const damaged = parseSettings('{"notebooks":{"n<b>":7},"budget":{"day":1}}');
  const settings = {
    problem: damaged.problem,
    damage: damaged.damage,
    subscribe(listener: (settings: typeof damaged.settings) => void) {
      told = () => listener(damaged.settings);
      return () => undefined;
    },
  };
  announceSettings(settings, createTranslate(words), (html, stays) => void shown.push([html, stays]));
  told();
  expect(shown).toEqual([[expect.stringMatching(expected), 0]]);
  settings.damage = parseSettings('{"localOnly":2}').damage;
  told();
  expect(shown.at(-1)?.[0]).toContain('localOnly');
  expect(shown).toHaveLength(2);
});
