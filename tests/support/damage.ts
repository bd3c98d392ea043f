// Ways in which a saved file may be wrong: by hand, by a sync, by another version, by a disk. Seeded, so that a failure comes again.
import type { Random } from '../../bench/random.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Path = readonly (string | number)[];

/** Every place of a value, with the value. */
function places(value: Json, path: Path = []): [Path, Json][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const below = Array.isArray(value)
    ? value.flatMap((each: Json, index) => places(each, [...path, index]))
    : Object.entries(value).flatMap(([key, each]) => places(each, [...path, key]));
  return [[path, value], ...below];
}

const GONE = Symbol('gone');

function replaced(value: Json, path: Path, by: (old: Json) => Json | typeof GONE): Json | typeof GONE {
  const [head, ...tail] = path;
  if (head === undefined) return by(value);
  if (Array.isArray(value)) {
    return value.flatMap((each: Json, index): Json[] => {
      const next = index === head ? replaced(each, tail, by) : each;
      return next === GONE ? [] : [next];
    });
  }
  const entries = Object.entries(value as Record<string, Json>).flatMap(([key, each]): [string, Json][] => {
    const next = key === head ? replaced(each, tail, by) : each;
    return next === GONE ? [] : [[key, next]];
  });
  return Object.fromEntries(entries);
}

const WRONG: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  1.5,
  '',
  'x',
  '../../x',
  '<img src=x onerror=alert(1)>',
  [],
  {},
  [null],
  { a: 1 },
];

/** Ids of the file, to be put where another one stands: circles, strangers, one id twice. */
const idsIn = (text: string): string[] => [...new Set(text.match(/[a-z0-9]{8}-[a-z0-9]{10}|\d{14}-[0-9a-z]{7}/g) ?? [])];

type Damage = (text: string, random: Random) => string;

/** One value of the file is another one. */
const ofValue: Damage = (text, random) => {
  const value = JSON.parse(text) as Json;
  const [path] = random.pick(places(value)) ?? [[]];
  const id = random.pick(idsIn(text)) ?? 'x';
  const by = (old: Json): Json | typeof GONE => {
    const dice = random.below(6);
    if (dice === 0) return GONE;
    if (dice === 1) return id;
    if (dice === 2) return 'long '.repeat(60_000);
    if (dice === 3 && Array.isArray(old)) return [...old, ...old];
    return random.pick(WRONG) ?? null;
  };
  const made = replaced(value, path, by);
  return made === GONE ? 'null' : JSON.stringify(made);
};

/** Names of ids change places: parents in circles, nodes under another name. */
const ofIds: Damage = (text, random) => {
  const ids = idsIn(text);
  const [from, to] = [random.pick(ids), random.pick(ids)];
  if (from === undefined || to === undefined) return text;
  const at = [...text.matchAll(new RegExp(from, 'g'))].map(({ index }) => index);
  const index = random.pick(at) ?? 0;
  return text.slice(0, index) + to + text.slice(index + from.length);
};

/** A key that is there twice, or that is none in other programs. */
const ofKeys: Damage = (text, random) => {
  const at = [...text.matchAll(/\{/g)].map(({ index }) => index);
  const index = random.pick(at) ?? 0;
  const key = random.pick(['"__proto__":{"x":1},', '"constructor":null,', '"id":"twice",', '"toString":1,', '"":[],']) ?? '';
  const after = text
    .slice(index + 1)
    .trimStart()
    .startsWith('}')
    ? key.slice(0, -1)
    : key;
  return text.slice(0, index + 1) + after + text.slice(index + 1);
};

const ofSchema: Damage = (text, random) =>
  text.replace(/"schema":\s*\d+/, `"schema":${random.pick(['0', '2', '99', '"1"', 'null', '-1', '1.5'])}`);
const cut: Damage = (text, random) => text.slice(0, random.below(text.length + 1));
const rubbish: Damage = (_text, random) =>
  random.pick(['', ' ', 'null', '[]', '{}', '"x"', '42', '\uFEFF{}', '\0\0\0', '<html></html>', '{"schema":1}']) ?? '';

const KINDS: readonly Damage[] = [ofValue, ofValue, ofValue, ofValue, ofIds, ofIds, ofKeys, ofKeys, ofSchema, cut, rubbish];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text with one to four things wrong in it; what is no JSON is cut or replaced. */
export function damage(text: string, random: Random): string {
  let damaged = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const kind = isJson(damaged) ? (random.pick(KINDS) ?? cut) : (random.pick([cut, rubbish, ofKeys]) ?? cut);
    damaged = kind(damaged, random);
  }
  return damaged;
}
