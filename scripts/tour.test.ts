import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(dirname(import.meta.dirname), 'docs');
const tour = readFileSync(join(docs, 'tour.md'), 'utf8');
const [, request = ''] = tour.split(/^## /mu);

/** A function as it is declared or set up, not only called. */
const declares = (source: string, name: string): boolean =>
  new RegExp(`^ *(?:export |private |readonly |async |function )*${name}(?:\\(|:|<)`, 'mu').test(source);

describe('docs/tour.md', () => {
  it('leads to files that exist', () => {
    const links = [...tour.matchAll(/\]\(([^)]+)\)/gu)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !existsSync(join(docs, link)))).toEqual([]);
  });

  it('names functions that their files declare', () => {
    const steps = [...tour.matchAll(/^\d+\. `(\w+)` in \[[^\]]+\]\(([^)]+)\)/gmu)];
    expect(steps).toHaveLength([...tour.matchAll(/^\d+\. /gmu)].length);
    const missing = steps.filter(([, name = '', link = '']) => !declares(readFileSync(join(docs, link), 'utf8'), name));
    expect(missing.map(([step]) => step)).toEqual([]);
  });

  it('needs no more than 14 functions in 8 files from the composer to the request, each with a name of its own', () => {
    const steps = [...request.matchAll(/^\d+\. `(\w+)` in \[[^\]]+\]\(([^)]+)\)/gmu)];
    expect(steps.length).toBeLessThanOrEqual(14);
    expect(new Set(steps.map(([, name]) => name)).size).toBe(steps.length);
    expect(new Set(steps.map(([, , file]) => file)).size).toBeLessThanOrEqual(8);
  });
});
