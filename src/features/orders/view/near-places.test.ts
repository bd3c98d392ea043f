import { expect, it } from 'vitest';
import { nearPlaces } from './near-places.ts';

it('offers each note once, and notes of one title by their paths', () => {
  const note = (id: string, title: string, place: string) => ({ id, title, place });
  const inLife = note('1', 'Inbox', 'Life/Inbox');
  expect(nearPlaces('Inbo', ['Life'], [inLife, inLife])).toEqual(['Life/Inbox']);
  expect(nearPlaces('Inbo', ['Inbox'], [inLife, note('2', 'Inbox', 'Work/Inbox')])).toEqual(['Inbox', 'Life/Inbox', 'Work/Inbox']);
});
