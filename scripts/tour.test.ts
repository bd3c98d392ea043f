import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(dirname(import.meta.dirname), 'docs');
const read = (page: string): string => readFileSync(join(docs, page), 'utf8');

/** A function as it is declared or set up, not only called. */
const declares = (source: string, name: string): boolean =>
  new RegExp(`^ *(?:export |private |protected |readonly |async |function )*${name}(?:\\(|:|<)`, 'mu').test(source);

interface Step {
  readonly name: string;
  readonly file: string;
}

const stepsOf = (text: string): readonly Step[] =>
  [...text.matchAll(/^\d+\. `(\w+)` in \[[^\]]+\]\(([^)]+)\)/gmu)].map(([, name = '', file = '']) => ({ name, file }));

/** The functions on the solid arrows of a page's picture, from top to bottom. */
const drawnIn = (text: string): readonly string[] => [...text.matchAll(/^ *\w+->>\w+: (\w+)$/gmu)].map(([, name = '']) => name);

/** Whether all of `names` come in `all`, in this order. */
function isInOrder(names: readonly string[], all: readonly string[]): boolean {
  let from = 0;
  return names.every((name) => {
    const at = all.indexOf(name, from);
    from = at + 1;
    return at >= 0;
  });
}

const DRAWN = ['tour.md', 'tour-write.md', 'tour-answer.md'];
const SHORT = ['tour-program.md', 'tour-order.md', 'tour-living-answer.md'];

describe.each([...DRAWN, ...SHORT])('docs/%s', (page) => {
  const text = read(page);

  it('leads to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/gu)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(12);
    expect(links.filter((link) => !existsSync(join(docs, link)))).toEqual([]);
  });

  it('names functions that their files declare', () => {
    const steps = stepsOf(text);
    expect(steps).toHaveLength([...text.matchAll(/^\d+\. /gmu)].length);
    expect(steps.filter(({ name, file }) => !declares(read(file), name))).toEqual([]);
  });
});

describe.each(SHORT)('docs/%s', (page) => {
  it('has at most 350 words', () => {
    expect(read(page).split(/\s+/u).length).toBeLessThanOrEqual(350);
  });
});

describe.each(DRAWN)('docs/%s', (page) => {
  const text = read(page);

  it('draws its steps in their order', () => {
    const drawn = drawnIn(text);
    expect(drawn.length).toBeGreaterThan(5);
    expect(
      isInOrder(
        drawn,
        stepsOf(text).map(({ name }) => name),
      ),
    ).toBe(true);
  });
});

describe('docs/tour.md', () => {
  it('needs no more than 14 functions in 8 files from the composer to the request, each with a name of its own', () => {
    const [, request = ''] = read('tour.md').split(/^## /mu);
    const steps = stepsOf(request);
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.length).toBeLessThanOrEqual(14);
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
    expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(8);
  });
});
