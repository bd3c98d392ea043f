import { expect, it } from 'vitest';
import { createAccessPolicy } from '../access/access-policy.ts';
import { followRights } from './follow-rights.ts';
import { parseSettings } from './parse-settings.ts';
import type { Settings } from './settings-format.ts';

it('give notebooks without a right of their own that of all others', () => {
  const policy = createAccessPolicy();
  let settings = parseSettings('{"notebooks":5}').settings;
  let told: (settings: Settings) => void = () => undefined;
  followRights(
    {
      get: () => settings,
      subscribe(listener) {
        told = listener;
        return () => undefined;
      },
    },
    policy,
  );
  const rights = (): string[] => ['a', 'b'].map((id) => policy.right(id));
  expect(rights()).toEqual(['none', 'none']);
  settings = parseSettings('{"notebooks":{"*":"none","a":"write"}}').settings;
  told(settings);
  expect(rights()).toEqual(['write', 'none']);
  settings = parseSettings('{"notebooks":{}}').settings;
  told(settings);
  expect(rights()).toEqual(['read', 'read']);
});
