import { expect, it } from 'vitest';
import { openSettings } from '../host/settings/settings.ts';
import { GROUP_DEFAULTS } from '../tools/index.ts';
import { groupSwitches, toolCallConfigOf } from './tool-call-config.ts';

const read = async (settings: object) => {
  const storage = { read: async () => JSON.stringify(settings), write: async () => undefined, list: async () => [] };
  return toolCallConfigOf((await openSettings(storage, { get: () => undefined, set: () => undefined }, () => 0)).get());
};

it('has every field, from wherever it is set', async () => {
  const toolCalls = {
    enabled: false,
    mode: 'manual',
    requireConfirmation: true,
    parallelExecution: false,
    timeout: 5000,
    defaultToolEnabled: true,
  };
  expect(
    await read({ toolCalls, groups: { web: true, tags: false }, tools: { read_doc: false }, toolCallMaxRounds: 3, toolProtocol: 'json' }),
  ).toEqual({
    ...toolCalls,
    ...{ toolToggles: { web: true, tags: false }, methodToggles: { read_doc: false }, maxIterations: 3, protocol: 'json' },
  });
});

it('leaves groups that nobody switched as they are by default, or as it is set for all of them', async () => {
  const groups = [{ name: 'tags' }, { name: 'web' }, { name: 'mine' }];
  const switches = async (settings: object) => {
    const { tags, web, mine } = groupSwitches(await read({ ...settings, groups: { web: true } }), groups);
    return [tags, web, mine];
  };
  expect(await switches({})).toEqual([GROUP_DEFAULTS.tags, true, false]);
  expect(await switches({ toolCalls: { defaultToolEnabled: true } })).toEqual([true, true, true]);
  expect(await switches({ toolCalls: { defaultToolEnabled: false } })).toEqual([false, true, false]);
});
