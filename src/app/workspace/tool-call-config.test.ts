import { describe, expect, it } from 'vitest';
import { openSettings } from '../../host/settings/settings.ts';
import type { NoteContents } from '../../tools/contract/note-queries.ts';
import { createNotebooksGroup, createSearchGroup, GROUP_DEFAULTS, toolExecutorFactory } from '../../tools/index.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { applyToolSettings, followsContents, groupSwitches, toolCallConfigOf } from './tool-call-config.ts';

const settingsOf = async (settings: object) => {
  const storage = { read: async () => JSON.stringify(settings), write: async () => undefined, list: async () => [] };
  return (await openSettings(storage, { get: () => undefined, set: () => undefined }, () => 0)).get();
};
const read = async (settings: object, contents: readonly NoteContents[] = []) => toolCallConfigOf(await settingsOf(settings), contents);

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

it('count in a chat that is open when somebody else set them, and no longer once they are taken back', async () => {
  const notes = new InMemoryNotes({ notebooks: [] });
  const groups = [createNotebooksGroup(notes), createSearchGroup(notes)];
  const executor = toolExecutorFactory({ clock: { now: () => 0, today: () => '2026-01-01' }, groups, groupDefaults: GROUP_DEFAULTS });
  const search = () =>
    executor
      .groups()
      .flatMap(({ tools }) => tools)
      .find(({ name }) => name === 'search_notes');
  const before = search();
  applyToolSettings(executor, {
    settings: await settingsOf({ permissions: { search_notes: { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' } } }),
    contents: [],
  });
  expect(search()).toMatchObject({ callable: true, permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' } });
  applyToolSettings(executor, {
    settings: await settingsOf({ tools: { search_notes: false }, groups: { notebooks: false } }),
    contents: [],
  });
  expect([executor.isCallable('search_notes'), executor.isGroupEnabled('notebooks')]).toEqual([false, false]);
  applyToolSettings(executor, { settings: await settingsOf({}), contents: [] });
  expect([search(), executor.isGroupEnabled('notebooks')]).toEqual([before, GROUP_DEFAULTS.notebooks]);
});

it('counts what is said of all others for tools and groups without an entry of their own, later ones too', async () => {
  const asks = { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' } as const;
  const settings = await settingsOf({ permissions: 5, tools: { '*': false, query_sql: true }, groups: 'all' });
  const switches = groupSwitches(toolCallConfigOf(settings, []), [{ name: 'search' }, { name: 'mine' }]);
  expect([switches.search, switches.mine]).toEqual([false, false]);
  const executor = toolExecutorFactory({
    clock: { now: () => 0, today: () => '2026-01-01' },
    groups: [],
    toolDefaults: toolCallConfigOf(settings, []).methodToggles,
    permissions: settings.permissions,
  });
  executor.registerToolGroup(createSearchGroup(new InMemoryNotes({ notebooks: [] })));
  const states = (): unknown[] =>
    executor
      .groups()
      .flatMap(({ tools }) => tools)
      .filter(({ name }) => ['query_sql', 'grep_doc'].includes(name))
      .map(({ name, enabled, permission }) => [name, enabled, permission]);
  const strict = [
    ['grep_doc', false, asks],
    ['query_sql', true, asks],
  ];
  expect(states().sort()).toEqual(strict);
  applyToolSettings(executor, { settings, contents: [] });
  expect(states().sort()).toEqual(strict);
  applyToolSettings(executor, { settings: await settingsOf({}), contents: [] });
  expect(states()).not.toContainEqual(expect.arrayContaining([asks]));
  expect(executor.isToolEnabled('grep_doc')).toBe(true);
});

describe('groups for what only some workspaces hold', () => {
  const states = async (settings: object, contents: readonly NoteContents[]) => {
    const names = ['databases', 'flashcards', 'tags'] as const;
    const switches = groupSwitches(
      await read(settings, contents),
      names.map((name) => ({ name })),
    );
    return names.map((name) => switches[name]);
  };

  it('are on where the notes hold it', async () => {
    expect(await states({}, [])).toEqual([false, false, true]);
    expect(await states({}, ['databases'])).toEqual([true, false, true]);
    expect(await states({}, ['databases', 'flashcards'])).toEqual([true, true, true]);
  });

  it('are as the user chose, for one or for all, whatever the notes hold', async () => {
    expect(await states({ groups: { databases: false, flashcards: true } }, ['databases'])).toEqual([false, true, true]);
    expect(await states({ groups: { '*': false } }, ['databases'])).toEqual([false, false, false]);
    expect(await states({ toolCalls: { defaultToolEnabled: false } }, ['databases'])).toEqual([false, false, false]);
    for (const chosen of [{ groups: { databases: true } }, { groups: { '*': false } }, { toolCalls: { defaultToolEnabled: true } }])
      expect(followsContents(await settingsOf(chosen), 'databases')).toBe(false);
    expect(followsContents(await settingsOf({ groups: { tags: false } }), 'databases')).toBe(true);
  });
});
