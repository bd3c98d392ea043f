import { expect, it } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import { Listeners } from '../tools/util/notify.ts';
import { noteLanguages } from './note-languages.ts';

const { signal } = new AbortController();

it('are none while they are found anew, and never those of an earlier question that came later', async () => {
  const answers: ((languages: readonly string[]) => void)[] = [];
  const rights = new Listeners<[]>();
  const subscribed = { subscribe: (listener: () => void) => rights.add(listener) };
  const languages = noteLanguages({ languages: () => new Promise((resolve) => answers.push(resolve)) }, subscribed, signal);
  expect(languages.current()).toEqual([]);
  const [first, second] = [languages.refresh(), languages.refresh()];
  answers[1]?.(['English']);
  answers[0]?.(['English', 'Korean']);
  await Promise.all([first, second]);
  expect(languages.current()).toEqual(['English']);
  rights.call();
  expect(languages.current()).toEqual([]);
  answers[2]?.(['Chinese']);
  await expect.poll(() => languages.current()).toEqual(['Chinese']);
});

it('are none where the notes cannot be asked', async () => {
  const refuse = () => Promise.reject(new ToolError('kernel_unreachable', 'gone', 'wait'));
  const languages = noteLanguages({ languages: refuse }, { subscribe: () => undefined }, signal);
  await languages.refresh();
  expect(languages.current()).toEqual([]);
});

it('end without a word when the panel goes while they are looked for', async () => {
  const closing = new AbortController();
  const languages = noteLanguages(
    { languages: (asked) => new Promise((_, reject) => asked.addEventListener('abort', () => reject(asked.reason))) },
    { subscribe: () => undefined },
    closing.signal,
  );
  const looking = languages.refresh();
  closing.abort();
  await expect(looking).resolves.toBeUndefined();
});
