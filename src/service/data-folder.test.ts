import { expect, it } from 'vitest';
import { UsageError } from './contract/errors.ts';
import { inFolder } from './data-folder.ts';

const failing = (fields: object) => (): never => {
  throw Object.assign(new Error('the words of the system'), fields);
};

const SAID = [
  [{ code: 'ENOSPC' }, 'its disk is full (ENOSPC)'],
  [{ code: 'EDQUOT' }, 'its disk is full for this user (EDQUOT)'],
  [{ code: 'EROFS' }, 'nothing can be written there (EROFS)'],
  [{ code: 'EIO' }, 'its disk fails (EIO)'],
  // As SQLite tells a full disk, with more in the higher bits.
  [{ errcode: 13 }, 'its disk is full (ENOSPC)'],
  [{ errcode: 0x0d | (3 << 8) }, 'its disk is full (ENOSPC)'],
] as const;

it.each(SAID)('a disk that does not take what the service begins with is one sentence: %j', (fields, reason) => {
  const sentence = `bad_data: /data cannot be used as the folder of the service: ${reason} → name another with --data`;
  expect(() => inFolder('/data', failing(fields))).toThrow(new UsageError(sentence));
});

it('a sentence that was said already is handed on', () => {
  const said = new UsageError('data_in_use: process 7');
  expect(() =>
    inFolder('/data', () => {
      throw said;
    }),
  ).toThrow(said);
});
