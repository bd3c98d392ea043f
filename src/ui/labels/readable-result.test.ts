import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import { ERROR_CODES } from '../../tools/contract/errors.ts';
import { UNDO_REASONS } from '../../tools/contract/undo-reasons.ts';
import { createTranslate } from '../ports/i18n.ts';
import { callErrorLabel, errorLabel } from './error-labels.ts';
import { readableResult, withoutRawIds } from './readable-result.ts';
import { reasonsLabel } from './undo-labels.ts';

const t = createTranslate(english);
const APOLLO = '20260412093011-abc1234';
const OTHER = '20260412093011-xyz9876';
const titleOf = (id: string): string => (id === APOLLO ? 'Apollo' : '');

it('a result that was cut in the middle of a mark ends with its text', () => {
  for (const cut of ['@@…', '@@202604…', `@@${APOLLO}…`, `@@${APOLLO}@…`]) expect(readableResult(`Outline:\n\n${cut}`)).toBe('Outline:');
});

describe('a sentence with ids', () => {
  it.each([
    [`no note with id ${OTHER}`, 'no note with id'],
    [`there is no block ${OTHER}`, 'there is no block'],
    [`there is no block "${OTHER}" here`, 'there is no block here'],
    [`there is a note there (${APOLLO})`, 'there is a note there “Apollo”'],
    [`${APOLLO} is a document`, '“Apollo” is a document'],
    [`${OTHER} is a document`, 'a block is a document'],
    [`it is below [${OTHER}#1a2b3c4d], not ${APOLLO}`, 'it is below a block, not “Apollo”'],
    ['on 20260412 nothing was written', 'on 20260412 nothing was written'],
  ])('%s', (text, words) => expect(withoutRawIds(text, t, titleOf)).toBe(words));

  it('is none, whatever failed or was not undone, in both languages', () => {
    for (const each of [t, createTranslate(chinese)]) {
      for (const code of ERROR_CODES) {
        const error = { code, message: `SiYuan refused /api/x: ${OTHER} is not below ${APOLLO}`, next: `read ${OTHER}` };
        const { what, next, detail } = errorLabel(error, each);
        expect([what, next, callErrorLabel(error, each)].join()).not.toMatch(/\d{14}-/);
        expect(detail).toContain(OTHER);
      }
      for (const code of UNDO_REASONS)
        expect(reasonsLabel({ reasons: [{ code, title: OTHER, detail: `block ${OTHER} not found` }] }, each)).not.toMatch(/\d{14}-/);
    }
  });
});

it('shows a result without ids, but the address of a picture whole', () => {
  const picture = `![A map](assets/map-${OTHER}.png)`;
  expect(readableResult(`See ${OTHER}.\n\n${picture}`)).toBe(`See ….\n\n${picture}`);
});
