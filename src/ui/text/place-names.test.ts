import { expect, it } from 'vitest';
import { namesIn, nearestNames, placeNames } from './place-names.ts';

it.each([
  ['Apollo', '/Apollo', ['Work']],
  ['Apollo', '/Projects/Space/Apollo', ['Work', 'Projects', 'Space']],
  ['In/Out', '/Projects/In/Out', ['Work', 'Projects']],
  ['Renamed since', '/Projects/Apollo', ['Work', 'Projects']],
  ['Apollo', '', ['Work']],
])('%s in %s stands in %j', (title, path, names) => expect(placeNames({ title, path, notebook: 'Work' })).toEqual(names));

it('keeps the end of a long place', () => {
  expect(nearestNames(['Work', 'Projects'])).toEqual(['Work', 'Projects']);
  expect(nearestNames(['Work', 'Projects', 'Space', 'Old'])).toEqual(['…', 'Space', 'Old']);
});

it('reads the names of a path', () => expect(namesIn('/Garden/Soil/Compost heap')).toEqual(['Garden', 'Soil', 'Compost heap']));
