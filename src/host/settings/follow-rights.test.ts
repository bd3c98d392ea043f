import { expect, it } from 'vitest';
import { createAccessPolicy } from '../access/access-policy.ts';
import { followRights } from './follow-rights.ts';
import { parseSettings } from './parse-settings.ts';
import type { Settings } from './settings-format.ts';

function following(text: string) {
  const policy = createAccessPolicy();
  let { settings } = parseSettings(text);
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
  const sync = (next: string): void => {
    ({ settings } = parseSettings(next));
    told(settings);
  };
  return { sync, rights: (): string[] => ['a', 'b'].map((id) => policy.right(id)) };
}

it('give notebooks without a right of their own that of all others', () => {
  const { sync, rights } = following('{"notebooks":5}');
  expect(rights()).toEqual(['none', 'none']);
  sync('{"notebooks":{"*":"none","a":"write"}}');
  expect(rights()).toEqual(['write', 'none']);
  sync('{"notebooks":{}}');
  expect(rights()).toEqual(['read', 'read']);
});

it('open no notebook that was closed when a sync brings rights that cannot be read', () => {
  const { sync, rights } = following('{"notebooks":{"a":"none","b":"delete"}}');
  expect(rights()).toEqual(['none', 'delete']);
  sync('{"notebooks":5}');
  expect(rights()).toEqual(['none', 'none']);
});
