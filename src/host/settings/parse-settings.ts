import * as v from 'valibot';
import { NOTEBOOK_RIGHTS, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import { parseLenient } from '../../tools/util/lenient-json.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import {
  modelRef as modelRefFormat,
  OTHERS,
  type ParsedSettings,
  price as priceFormat,
  SETTINGS_SCHEMA,
  type Settings,
  settingsFormat,
} from './settings-format.ts';
import { lostToolCalls } from './tool-calls.ts';

/** Restrictions that can still be recognized in a file that is not valid JSON: a missing bracket must not lift them. */
function lostValues(text: string): Partial<ParsedSettings> {
  return {
    ...lostPrivacy(text),
    ...lostLocalOnly(text),
    ...lostModel(text),
    ...lostBudget(text),
    ...lostToolCalls(text),
    notebooks: lostRights(text),
    permissions: lostPermissions(text),
    ...lostSwitches(text),
  };
}

/** Masking was on. What is private is no longer known, so nothing may be sent until the settings are repaired. */
function lostPrivacy(text: string): Pick<ParsedSettings, 'privacy'> | undefined {
  const found = /"privacy"[\s\S]*?"enabled"\s*:\s*(\w+|.)/.exec(text);
  return found && found[1] !== 'false' ? { privacy: { enabled: 'unreadable', fields: [] } } : undefined;
}

function lostLocalOnly(text: string): Pick<ParsedSettings, 'localOnly'> | undefined {
  const found = /"localOnly"\s*:\s*(\w+|.)/.exec(text);
  return found && found[1] !== 'false' ? { localOnly: true } : undefined;
}

/** The user had chosen a model: the host's default, which may be on another server, must not replace it. */
function lostModel(text: string): Pick<ParsedSettings, 'model'> | undefined {
  return /"source"\s*:\s*"custom"/.test(text) ? { model: { source: 'custom', model: '' } } : undefined;
}

/** There were limits, but their values are lost. */
function lostBudget(text: string): Pick<ParsedSettings, 'budget'> | undefined {
  return /"budget"\s*:\s*\{[\s\S]*?"(?:tokens|dollars)"/.test(text) ? { budget: { turn: { tokens: 0 } } } : undefined;
}

/** Raised rights are lost with the file; closed notebooks stay closed. */
function lostRights(text: string): Readonly<Record<string, NotebookRight>> {
  const closed = new Map<string, NotebookRight>();
  for (const [, id = '', right] of text.matchAll(/"(\d{14}-[0-9a-z]{7})"\s*:\s*"(none|create|read)"/g))
    if (closed.get(id) !== 'none') closed.set(id, right === 'read' ? 'read' : 'none');
  return Object.fromEntries(closed);
}

/** If a tool had a user policy, every tool asks. */
function lostPermissions(text: string): ParsedSettings['permissions'] {
  const named = [...text.matchAll(/"([^"\\]+)"\s*:\s*\{[^{}]*"(?:executionPolicy|resultApprovalPolicy)"/g)];
  return Object.fromEntries(named.map(([, tool = '']) => [tool, { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' }]));
}

const SENDING = ['fromEditor', 'modelTitles', 'summaries'] as const;

/** Everything that was switched off by name; a name that is no group, tool or model has no effect. */
function lostSwitches(text: string): Partial<ParsedSettings> {
  const off = Object.fromEntries([...text.matchAll(/"([^"\\]+)"\s*:\s*false/g)].map(([, name = '']) => [name, false]));
  const sending = SENDING.filter((name) => Object.hasOwn(off, name)).map((name) => [name, false]);
  return { groups: off, tools: off, searchFirst: off, skills: { note: '', on: off }, ...Object.fromEntries(sending) };
}

type CountsInstead = 'default' | 'none' | 'off' | 'on' | 'asks' | 'zero' | 'stops' | 'left-out' | 'read' | 'lost';

export interface SettingsDamage {
  /** Its path, such as `budget.day.tokens`; '' for the file itself. */
  readonly at: string;
  readonly counts: CountsInstead;
}

export interface LoadedSettings {
  readonly text: string | null;
  readonly settings: Settings;
  readonly problem: 'settings-broken' | 'settings-newer' | undefined;
  readonly damage: readonly SettingsDamage[];
  /** The file cannot be read as JSON in any way: only the results of `lostValues` are known. */
  readonly isLost: boolean;
  /** A newer version wrote the file: it is read, never written. */
  readonly readOnly: boolean;
}

type Report = (damage: SettingsDamage) => void;

/** Returns the effective value; undefined as if it were missing. Never throws. */
type Reader = (value: unknown, at: string, report: Report) => unknown;

/** A single value; if it cannot be read, `instead` applies. */
function one(format: v.GenericSchema, counts: CountsInstead, instead?: unknown): Reader {
  return (value, at, report) => {
    if (v.is(format, value)) return value;
    report({ at, counts });
    return instead;
  };
}

/** Fields that are read separately; unknown fields stay. `whole` reads a value that is not an object. */
function fields(readers: Readonly<Record<string, Reader>>, whole: Reader): Reader {
  return (value, at, report) => {
    if (!isRecord(value)) return whole(value, at, report);
    const read = Object.entries(value).map(([name, each]): [string, unknown] => {
      const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
      return [name, reader ? reader(each, at === '' ? name : `${at}.${name}`, report) : each];
    });
    return Object.fromEntries(read.filter(([, each]) => each !== undefined));
  };
}

/** Entries by name; if the value is not an object, `others` applies to all possible entries. */
function entries(reader: Reader, counts: CountsInstead, others?: unknown): Reader {
  return (value, at, report) => {
    if (isRecord(value)) {
      const read = Object.entries(value).map(([name, each]): [string, unknown] => [name, reader(each, `${at}.${name}`, report)]);
      return Object.fromEntries(read.filter(([, each]) => each !== undefined));
    }
    report({ at, counts });
    return others === undefined ? {} : { [OTHERS]: others };
  };
}

/** The strings of a list; other items are dropped. */
const texts: Reader = (value, at, report) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, each] of list.entries())
    if (typeof each !== 'string') report({ at: Array.isArray(value) ? `${at}.${index + 1}` : at, counts: 'left-out' });
  return Array.isArray(value) ? list.filter((each) => typeof each === 'string') : [];
};

const no = one(v.boolean(), 'off', false);
const yes = one(v.boolean(), 'on', true);
const text = one(v.string(), 'left-out');
const amount = v.pipe(v.number(), v.minValue(0));
const anything: Reader = (value) => value;

const NO_TOKENS = { tokens: 0 };
const limit = fields({ tokens: one(amount, 'zero', 0), dollars: one(amount, 'zero', 0) }, one(v.never(), 'zero', NO_TOKENS));

const ASKS: ToolPermissionV2 = { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' };
const EXECUTIONS = v.picklist(['auto', 'ask-once', 'ask-always']);
const RESULTS = v.picklist(['never', 'on-error', 'always']);

/** Both parts are required: a missing one counts as invalid. */
const permission: Reader = (value, at, report) => {
  const { executionPolicy, resultApprovalPolicy, ...others } = isRecord(value) ? value : {};
  const part = (name: string, format: v.GenericSchema, given: unknown, instead: string): unknown =>
    one(format, 'asks', instead)(given, `${at}.${name}`, report);
  return {
    ...others,
    executionPolicy: part('executionPolicy', EXECUTIONS, executionPolicy, ASKS.executionPolicy),
    resultApprovalPolicy: part('resultApprovalPolicy', RESULTS, resultApprovalPolicy, ASKS.resultApprovalPolicy),
  };
};

/** An unclear choice counts as no choice: no other model replaces it. */
const model: Reader = (value, at, report) => {
  let unclear = false;
  const inside: Report = (damage) => {
    unclear ||= !/\.(?:baseURL|apiKey|apiKeyRef)$/.test(damage.at);
    report(damage);
  };
  const counts = 'none';
  const optional = (name: string): Reader => one(v.string(), name === 'model' ? counts : 'left-out');
  const names = ['providerId', 'baseURL', 'apiKeyRef', 'apiKey', 'model'];
  const readers = {
    source: one(v.picklist(['host', 'custom']), counts),
    ...Object.fromEntries(names.map((name) => [name, optional(name)])),
  };
  const read = fields(readers, one(v.never(), counts, {}))(value, at, inside);
  if (!unclear || !isRecord(read)) return read;
  const { providerId: _left, ...rest } = read;
  return { ...rest, source: 'custom', model: '' };
};

const provider = fields({ name: text, baseURL: text, protocol: text, apiKeyRef: text, apiKey: text }, one(v.never(), 'left-out'));
const modelRef = one(modelRefFormat, 'none');
const price = one(priceFormat, 'left-out');

/** If masking may be on and the list cannot be read, nothing is sent (model/masking/privacy-fields.ts). */
const privacy = fields(
  {
    enabled: anything,
    fields: (value, at, report) => {
      if (Array.isArray(value)) return value;
      report({ at, counts: 'stops' });
      return [null];
    },
  },
  one(v.never(), 'stops', { enabled: 'unreadable', fields: [] }),
);

const CAUTIOUS = { enabled: false, mode: 'manual', requireConfirmation: true, parallelExecution: false, defaultToolEnabled: false };
const toolCalls = fields(
  {
    enabled: no,
    mode: one(v.picklist(['auto', 'manual']), 'asks', 'manual'),
    requireConfirmation: yes,
    parallelExecution: no,
    timeout: one(v.number(), 'default'),
    defaultToolEnabled: no,
  },
  one(v.never(), 'off', CAUTIOUS),
);

/** Fields that are not listed here fall back to their default if they cannot be read. */
const READERS: Readonly<Record<string, Reader>> = {
  model,
  toolCalls,
  privacy,
  providers: entries(provider, 'left-out'),
  models: fields({ title: modelRef, speechToText: modelRef, textToSpeech: modelRef }, one(v.never(), 'none')),
  modelTitles: no,
  summaries: no,
  fromEditor: no,
  prices: entries(price, 'left-out'),
  budget: fields({ turn: limit, day: limit, month: limit }, one(v.never(), 'zero', { turn: NO_TOKENS })),
  localOnly: yes,
  remoteProviders: texts,
  search: fields({ provider: text, address: text, apiKey: text }, one(v.never(), 'none')),
  memory: fields({ notebook: text, document: text }, one(v.never(), 'none')),
  skills: fields({ note: text, on: entries(no, 'off', false) }, one(v.never(), 'none', { on: { [OTHERS]: false } })),
  searchFirst: entries(no, 'off', false),
  groups: entries(no, 'off', false),
  tools: entries(no, 'off', false),
  folders: texts,
  permissions: entries(permission, 'asks', ASKS),
  notebooks: entries(one(v.picklist(NOTEBOOK_RIGHTS), 'none', 'none'), 'none', 'none'),
};

const DEFAULTED = Object.fromEntries(Object.entries(settingsFormat.entries).map(([name, format]) => [name, one(format, 'default')]));
const readFields = fields({ ...DEFAULTED, ...READERS }, anything);

/** Tolerant parsing of invalid JSON: extra commas, comments. */
function parseText(text: string): { readonly value: unknown; readonly isJson: boolean } {
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    const lenient = parseLenient(text);
    return { value: lenient.kind === 'value' ? lenient.value : undefined, isJson: false };
  }
}

/** Reads value by value: an invalid one counts as its strictest, and affects only itself. Never throws. Unknown keys survive. */
export function parseSettings(text: string | null): LoadedSettings {
  const sound = { text, problem: undefined, damage: [], isLost: false, readOnly: false };
  if (text === null || text.trim() === '') return { ...sound, settings: v.parse(settingsFormat, {}) };
  const { value, isJson } = parseText(text);
  const damage: SettingsDamage[] = isJson ? [] : [{ at: '', counts: 'read' }];
  const read = v.safeParse(
    settingsFormat,
    readFields(value, '', (each) => damage.push(each)),
  );
  if (!isRecord(value) || !read.success) {
    const settings = { ...v.parse(settingsFormat, {}), ...lostValues(text) };
    return { ...sound, settings, problem: 'settings-broken', damage: [{ at: '', counts: 'lost' }], isLost: true };
  }
  const readOnly = read.output.schema > SETTINGS_SCHEMA;
  const broken = damage.length > 0 ? 'settings-broken' : undefined;
  const problem = readOnly ? 'settings-newer' : broken;
  return { ...sound, settings: withProvider(read.output), problem, damage, readOnly };
}

/** The provider id for `model.baseURL`: settings with a single address come from earlier versions, and are easy to write by hand. */
export const ONE_ADDRESS = 'custom';

/** Turns an address next to the model's name into an ordinary provider. */
function withProvider(settings: ParsedSettings): Settings {
  const { baseURL, apiKey, apiKeyRef, ...model } = settings.model;
  if (baseURL === undefined && !apiKey && !apiKeyRef) return settings;
  const known = settings.providers[ONE_ADDRESS] ?? { name: '', baseURL: '' };
  const own = {
    ...known,
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(apiKey ? { apiKey } : {}),
    ...(apiKeyRef ? { apiKeyRef } : {}),
  };
  const chosen = model.source === 'custom' && model.providerId === undefined ? { ...model, providerId: ONE_ADDRESS } : model;
  return { ...settings, model: chosen, providers: { ...settings.providers, [ONE_ADDRESS]: own } };
}
