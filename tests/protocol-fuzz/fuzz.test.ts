import { expect, it } from 'vitest';
import { fuzzProtocols } from './fuzz.ts';

it('random answers crash no protocol, show no marker, and are read alike however they are cut', () => {
  const { requests, problems } = fuzzProtocols({ seed: 1, from: 0, count: 20_000 });
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(10_000);
});
