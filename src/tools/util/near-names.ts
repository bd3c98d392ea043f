import { compareTexts } from './plain-value.ts';

/** Names that a model may have meant: by edit distance in lower case, and names that contain it or are contained in it. */
export function nearNames(wanted: string, names: readonly string[], limit = 5): readonly string[] {
  const target = normalize(wanted);
  const scored = names
    .map((name) => ({ name, score: distance(target, normalize(name)) }))
    .filter(({ score }) => score <= 0.6)
    .sort((left, right) => left.score - right.score || compareTexts(left.name, right.name));
  return scored.slice(0, limit).map(({ name }) => name);
}

function normalize(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_\-/.]+/gu, '')
    .slice(0, 80);
}

/** 0 = equal, 1 = nothing in common; a contained name counts as near. */
function distance(left: string, right: string): number {
  if (left === right) return 0;
  if (left === '' || right === '') return 1;
  if (left.includes(right) || right.includes(left)) return 0.3;
  return editDistance(left, right) / Math.max(left.length, right.length);
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replace = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** Prefixes that services and templates put before a tool's name, also with underscores instead of signs. */
const PREFIX = /^(?:functions?|default_api|tools?|namespace|mcp|api)_+/iu;

/** A tool's name without additions of services: a namespace (`functions.`), a number (`:0`), a template's marker (`<|channel|>`). */
export function bareToolName(written: string): string {
  const [named = ''] = written.trim().split('<|', 1);
  const parts = named.replace(/[:#]\d+$/u, '').split(/[.:/=]+/u);
  return parts.findLast((part) => part.trim() !== '')?.trim() ?? written;
}

/** The one of `names` that a model means; undefined if it could be none or several. Case, `_` and `-` are ignored. */
export function meantName(written: string, names: readonly string[]): string | undefined {
  const bare = bareToolName(written);
  for (const wanted of [written, bare, bare.replace(PREFIX, '')]) {
    if (names.includes(wanted)) return wanted;
    const [first, ...others] = wanted === '' ? [] : names.filter((name) => normalize(name) === normalize(wanted));
    if (first !== undefined && others.length === 0) return first;
  }
  return undefined;
}
