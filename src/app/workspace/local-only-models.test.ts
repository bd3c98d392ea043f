import { expect, it } from 'vitest';
import { maySearchBy } from './local-only-models.ts';

const AWAY = 'https://meaning.example/v1';

it.each([
  ['http://127.0.0.1:11434/v1', '', false, true],
  ['http://127.0.0.1:11434/v1', '', true, true],
  [AWAY, '', false, false],
  [AWAY, AWAY, false, true],
  [AWAY, AWAY, true, false],
  ['https://meaning.example.evil/v1', AWAY, false, false],
  ['SIYUAN_OPENAI_EMBEDDING_BASE_URL', '', false, false],
])('searches by %s, with “%s” allowed and local only %s: %s', (server, meaningService, localOnly, may) => {
  expect(maySearchBy(server, { localOnly, meaningService })).toBe(may);
});
