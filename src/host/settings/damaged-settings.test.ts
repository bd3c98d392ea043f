import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../tests/support/property-runs.ts';
import { readField } from '../../model/masking/privacy-fields.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import { parseSettings } from './parse-settings.ts';

import { openSettings } from './settings.ts';
import { OTHERS, type Settings } from './settings-format.ts';

const [CLOSED, READ, OPEN] = ['20260101000000-0000001', '20260101000000-0000002', '20260101000000-0000003'] as const;

/** Everything that limits, closed where it can be. */
const CLOSING = {
  schema: 1,
  model: { source: 'custom', providerId: 'home', model: 'small', later: 1 },
  providers: { home: { name: 'Home', baseURL: 'http://127.0.0.1:1/v1', apiKeyRef: 'local:provider:home', later: 1 } },
  modelTitles: false,
  summaries: false,
  fromEditor: false,
  toolCalls: { enabled: true, mode: 'manual', requireConfirmation: true, parallelExecution: false, defaultToolEnabled: false },
  privacy: { enabled: true, fields: ['Alice', { match: '/\\d+/', label: 'number' }], later: 1 },
  prices: { small: { input: 1, output: 2 }, large: { input: 3, output: 4 } },
  budget: { turn: { tokens: 1000 }, day: { tokens: 5000, dollars: 1 }, month: { dollars: 10 } },
  localOnly: true,
  remoteProviders: ['home', 'work'],
  groups: { web: false, search: true },
  tools: { delete_blocks: false, read_doc: true },
  permissions: {
    read_doc: { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' },
    edit_block: { executionPolicy: 'auto', resultApprovalPolicy: 'never' },
  },
  notebooks: { [CLOSED]: 'none', [READ]: 'read', [OPEN]: 'delete' },
  retries: 2,
  systemPrompt: 'be short',
  mine: { deep: [1, 2] },
} as const;

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, Array.isArray(value) ? Number(key) : key]));
  return at.length === 0 ? inside : [at, ...inside];
}

function withValue(value: unknown, [key, ...rest]: Path, damaged: unknown): unknown {
  if (key === undefined) return damaged;
  if (Array.isArray(value)) return value.map((each: unknown, index) => (index === key ? withValue(each, rest, damaged) : each));
  return { ...(value as object), [key]: withValue((value as Record<string, unknown>)[key], rest, damaged) };
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((now, key) => (now as Record<string, unknown> | undefined)?.[key as string], value);

const RIGHTS = ['none', 'read', 'write', 'delete'];
const POLICIES = ['auto', 'ask-once', 'ask-always'];
const RESULTS = ['never', 'on-error', 'always'];
const MODES = ['auto', 'manual'];

const entryOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined => record[name] ?? record[OTHERS];
const isBelow = (order: readonly string[], left = '', right = ''): boolean => order.indexOf(left) <= order.indexOf(right);

/** Names of what `now` allows and `before` does not. */
function widened(before: Settings, now: Settings): string[] {
  const wider: [string, boolean][] = [];
  for (const id of [CLOSED, READ, OPEN, 'another'])
    wider.push([`notebook ${id}`, !isBelow(RIGHTS, entryOf(now.notebooks, id) ?? 'read', entryOf(before.notebooks, id) ?? 'read')]);
  for (const tool of ['read_doc', 'edit_block', 'delete_blocks']) {
    wider.push([`tool ${tool}`, (entryOf(now.tools, tool) ?? true) && !(entryOf(before.tools, tool) ?? true)]);
    const [old, policy] = [entryOf(before.permissions, tool), entryOf(now.permissions, tool)];
    if (!old) continue;
    wider.push([`policy ${tool}`, !isBelow(POLICIES, old.executionPolicy, policy?.executionPolicy)]);
    wider.push([`results ${tool}`, !isBelow(RESULTS, old.resultApprovalPolicy, policy?.resultApprovalPolicy)]);
  }
  for (const group of ['web', 'search'])
    wider.push([`group ${group}`, entryOf(now.groups, group) !== false && entryOf(before.groups, group) === false]);
  const isStopped = (settings: Settings): boolean => (settings.budget.turn?.tokens ?? Number.POSITIVE_INFINITY) === 0;
  for (const period of ['turn', 'day', 'month'] as const)
    for (const unit of ['tokens', 'dollars'] as const) {
      const [old, limit] = [before.budget[period]?.[unit], now.budget[period]?.[unit]];
      const periodStopped = now.budget[period]?.tokens === 0;
      wider.push([
        `budget ${period} ${unit}`,
        old !== undefined && !isStopped(now) && !periodStopped && (limit ?? Number.POSITIVE_INFINITY) > old,
      ]);
    }
  wider.push(['localOnly', before.localOnly && !now.localOnly]);
  wider.push(['remoteProviders', now.remoteProviders.some((each) => !before.remoteProviders.includes(each))]);
  for (const name of ['modelTitles', 'summaries', 'fromEditor'] as const) wider.push([name, now[name] && !before[name]]);
  const [calls, old] = [now.toolCalls, before.toolCalls];
  wider.push([
    'calls',
    (calls.enabled && !old.enabled) || !isBelow(MODES, old.mode, calls.mode) || (!calls.requireConfirmation && old.requireConfirmation),
  ]);
  wider.push(['later groups', (calls.defaultToolEnabled ?? true) && old.defaultToolEnabled === false]);
  const masks =
    now.privacy.enabled !== false &&
    before.privacy.fields.every((field, index) => {
      const read = readField(now.privacy.fields[index], index + 1);
      return JSON.stringify(now.privacy.fields[index]) === JSON.stringify(field) || typeof read === 'string';
    });
  const isUnclear = now.privacy.enabled !== true && now.privacy.enabled !== false;
  wider.push(['privacy', !masks && !isUnclear]);
  const isNoModel = now.model.model === '';
  wider.push([
    'model',
    !isNoModel &&
      JSON.stringify([now.model.source, now.model.providerId, now.model.model]) !==
        JSON.stringify([before.model.source, before.model.providerId, before.model.model]),
  ]);
  return wider.flatMap(([name, is]) => (is ? [name] : []));
}

const clean = parseSettings(JSON.stringify(CLOSING)).settings;
// What no value of the file may be, and what only some may be.
const bad = fc.constantFrom<unknown>(null, 'yes', '', -1, 1.5, 1e300, [], [[]], {}, { x: null }, [7], 'nothing', { '*': 1 });
const path = fc.constantFrom(...pathsOf(CLOSING).filter(([first]) => first !== 'schema' && first !== 'mine'));

describe('settings of which one value is damaged', () => {
  it('keep every other value, unknown ones too, and open nothing that was closed', () => {
    return fc.assert(
      fc.property(path, bad, (at, value) => {
        // An object in the place of another is another valid file.
        fc.pre(!isRecord(value) || !isRecord(valueAt(CLOSING, at)));
        const text = JSON.stringify(withValue(CLOSING, at, value));
        const { settings, damage, isLost } = parseSettings(text);
        expect(isLost).toBe(false);
        // A value that is another valid one is no damage.
        if (damage.length === 0) return;
        expect(damage.map((each) => each.at.split('.')[0])).toEqual(damage.map(() => at[0]));
        expect([at, value, widened(clean, settings)]).toEqual([at, value, []]);
        for (const other of pathsOf(clean).filter((each) => typeof valueAt(clean, each) !== 'object')) {
          // A price is one value: half of it says nothing.
          const unit = at[0] === 'prices' ? at.slice(0, 2) : at;
          const isTouched = unit.every((key, index) => other[index] === key);
          const isOfChoice = at[0] === 'model' && other[0] === 'model';
          // Lists close up.
          const isOfList = at[0] === other[0] && (at[0] === 'privacy' || at[0] === 'remoteProviders');
          if (!isTouched && !isOfChoice && !isOfList) expect([other, valueAt(settings, other)]).toEqual([other, valueAt(clean, other)]);
        }
      }),
      { numRuns: runCount(800, 3000), seed: 1 },
    );
  });

  it.each([
    ['notebooks', 5, { notebooks: { '*': 'none' } }],
    ['permissions', [], { permissions: { '*': { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' } } }],
    ['groups', 'x', { groups: { '*': false } }],
    ['tools', null, { tools: { '*': false } }],
    ['budget', 'much', { budget: { turn: { tokens: 0 } } }],
    ['budget', { day: { tokens: 'x', dollars: 2 } }, { budget: { day: { tokens: 0, dollars: 2 } } }],
    ['budget', { day: { dollars: 'x' } }, { budget: { day: { dollars: 0 } } }],
    ['notebooks', { [OPEN]: 'all', [READ]: 'write' }, { notebooks: { [OPEN]: 'none', [READ]: 'write' } }],
    [
      'permissions',
      { t: { executionPolicy: 'auto' } },
      { permissions: { t: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } } },
    ],
    ['tools', { a: 'no', b: true }, { tools: { a: false, b: true } }],
    ['toolCalls', 1, { toolCalls: { enabled: false, mode: 'manual', requireConfirmation: true } }],
    ['remoteProviders', ['a', 1], { remoteProviders: ['a'] }],
    ['privacy', 'on', { privacy: { enabled: 'unreadable' } }],
    ['model', { source: 'elsewhere', providerId: 'p', model: 'm' }, { model: { source: 'custom', model: '' } }],
  ] as const)('read %s: %j strictly, and say so', (name, value, expected) => {
    const { settings, damage, problem } = parseSettings(JSON.stringify({ ...CLOSING, [name]: value }));
    expect(settings).toMatchObject(expected);
    expect(problem).toBe('settings-broken');
    expect(damage.length).toBeGreaterThan(0);
    expect(damage.every(({ at }) => at.startsWith(name))).toBe(true);
  });

  it('are read despite a comma too many, and keep closed what they can where the end is missing', () => {
    const comma = `${JSON.stringify(CLOSING).slice(0, -1)},}`;
    expect(parseSettings(comma)).toMatchObject({ settings: clean, problem: 'settings-broken', damage: [{ at: '', counts: 'read' }] });
    const { settings, isLost } = parseSettings(JSON.stringify(CLOSING).slice(0, -1));
    expect(isLost).toBe(true);
    expect(widened(clean, settings).filter((name) => name !== 'later groups')).toEqual([]);
  });

  it('send nothing unasked that was switched off, where the end is missing', () => {
    const { settings, isLost } = parseSettings(JSON.stringify({ searchFirst: { 'home/small': false }, ...CLOSING }).slice(0, -1));
    expect(isLost).toBe(true);
    expect(settings).toMatchObject({ fromEditor: false, modelTitles: false, summaries: false, searchFirst: { 'home/small': false } });
  });

  it('are written again as they count, after a copy was kept, and stay strict', async () => {
    const text = JSON.stringify({ ...CLOSING, notebooks: 5 });
    const files: Record<string, string> = { 'settings.json': text };
    const open = () =>
      openSettings(
        {
          read: async (file) => files[file] ?? null,
          write: async (file, next) => void Object.assign(files, { [file]: next }),
          list: async () => Object.keys(files),
        },
        { get: () => undefined, set: () => undefined },
        () => 7,
      );
    const store = await open();
    expect(store.damage).toEqual([{ at: 'notebooks', counts: 'none' }]);
    await store.update(() => ({ systemPrompt: 'new' }));
    expect(files['settings.json.broken-7']).toBe(text);
    const again = await open();
    expect([again.damage, again.get().notebooks, again.get().systemPrompt]).toEqual([[], { '*': 'none' }, 'new']);
    expect(JSON.parse(files['settings.json'] ?? '')).toMatchObject({ mine: { deep: [1, 2] } });
    const synced = JSON.stringify({ ...CLOSING, tools: 5 });
    files['settings.json'] = synced;
    await again.reload();
    expect(again.damage).toEqual([{ at: 'tools', counts: 'off' }]);
    expect(Object.values(files)).toContain(synced);
    await again.update(() => ({ systemPrompt: 'newer' }));
    expect(Object.entries(files).filter(([name, each]) => name.includes('broken') && each === synced)).toHaveLength(1);
  });
});
