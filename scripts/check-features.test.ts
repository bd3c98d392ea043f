import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featureNames, ofToday, withoutFeature } from './check-features.ts';

const DAY = 86_400_000;
const list = (name: string): string => readFileSync(join(import.meta.dirname, '../src/app', name), 'utf8');

describe('a list without a feature', () => {
  it('has neither its import nor its entry, and all others', () => {
    const text = list('features.ts');
    const without = withoutFeature(text, 'orders');
    expect(text).toContain('features/orders/');
    expect(without).not.toMatch(/orders/u);
    expect(without.split('\n')).toHaveLength(text.split('\n').length - 2);
  });

  it('exports nothing of it', () => {
    expect(list('late-parts.ts')).toContain('features/provenance/');
    expect(withoutFeature(list('late-parts.ts'), 'provenance')).not.toMatch(/provenance/u);
  });

  it('is as it was where the feature is not in it', () => {
    expect(withoutFeature(list('pages.ts'), 'tester')).toBe(list('pages.ts'));
  });
});

it('takes others each day, and all of them in turn', () => {
  const names = featureNames();
  const days = Array.from({ length: names.length }, (_, day) => ofToday(names, day * DAY));
  expect(days[0]).toHaveLength(3);
  expect(days[0]).not.toEqual(days[1]);
  expect(new Set(days.flat())).toEqual(new Set(names));
});
