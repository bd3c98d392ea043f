import { describe, expect, it } from 'vitest';
import { mergedList, sameEntry, withEntry, withoutEntry } from './list-entries.ts';

describe('a list that another window may have changed', () => {
  const phone = { match: '/\\d+/', label: 'phone' };

  it('has an edited entry where it stands now, and last where it was removed meanwhile', () => {
    expect(withEntry(['Bob', 'Carol'], 'Robert', sameEntry('Bob'))).toEqual(['Robert', 'Carol']);
    expect(withEntry([phone, 'Carol'], 'IBAN', sameEntry({ ...phone }))).toEqual(['IBAN', 'Carol']);
    expect(withEntry(['Carol'], 'Robert', sameEntry('Bob'))).toEqual(['Carol', 'Robert']);
    expect(withEntry<unknown>(['Carol'], 'Robert', sameEntry(undefined))).toEqual(['Carol', 'Robert']);
  });

  it('lacks the entry that is removed, and no other', () => {
    expect(withoutEntry(['Bob', 'Carol', 'Bob'], sameEntry('Bob'))).toEqual(['Carol', 'Bob']);
    expect(withoutEntry(['Carol'], sameEntry('Bob'))).toEqual(['Carol']);
  });

  it('that was typed as a whole keeps what was added elsewhere, and brings nothing back that was removed there', () => {
    expect(mergedList(['/a', '/b'], ['/a', '/b', '/mine'], ['/b', '/theirs'])).toEqual(['/b', '/mine', '/theirs']);
    expect(mergedList(['/a', '/b'], ['/b'], ['/a', '/b'])).toEqual(['/b']);
    expect(mergedList([], ['/a'], ['/a'])).toEqual(['/a']);
  });
});
