import { expect, it } from 'vitest';
import { Listeners } from './notify.ts';

it('calls those that listen when a call begins, each once, until they stop', () => {
  const listeners = new Listeners<[word: string]>();
  const heard: string[] = [];
  const stopFirst = listeners.add((word) => {
    heard.push(`first ${word}`);
    stopFirst();
    listeners.add((later) => heard.push(`later ${later}`));
  });
  const second = (word: string): void => void heard.push(`second ${word}`);
  listeners.add(second);
  listeners.add(second);
  listeners.call('a');
  expect(heard).toEqual(['first a', 'second a']);
  listeners.call('b');
  expect(heard.slice(2)).toEqual(['second b', 'later b']);
  expect(listeners.size).toBe(2);
  listeners.clear();
  listeners.call('c');
  expect(heard).toHaveLength(4);
});
