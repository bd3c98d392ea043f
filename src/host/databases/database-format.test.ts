import * as v from 'valibot';
import { expect, it } from 'vitest';
import { columnIdsOf, drawnSchema, givesRows, viewLabel } from './database-format.ts';

const drawn = (viewType: string, view: object) => v.parse(drawnSchema, { id: 'd', viewType, view });

it('names the layout of a view that is no table', () => {
  expect(viewLabel({ name: 'All', type: 'table' })).toBe('All');
  expect(viewLabel({ name: 'Month', type: 'calendar' })).toBe('Month (calendar)');
});

it('takes an empty view for empty, but not a layout that keeps its rows elsewhere', () => {
  expect(givesRows(drawn('table', { rows: null }))).toBe(true);
  expect(givesRows(drawn('calendar', { rows: [] }))).toBe(true);
  expect(givesRows(drawn('map', { pins: [{}] }))).toBe(false);
  expect(givesRows(drawn('map', { rows: [] }))).toBe(true);
  expect(givesRows(drawn('timeline', { groups: [{ cards: [] }] }))).toBe(true);
});

it('has the columns of each layout in its own order', () => {
  const of = (...ids: string[]) => ({ columns: ids.map((id) => ({ id })) });
  const view = { id: 'v', name: '', table: of('a', 'b'), calendar: of('b', 'a') };
  expect(columnIdsOf({ ...view, type: 'calendar' })).toEqual(['b', 'a']);
  expect(columnIdsOf({ ...view, type: 'timeline' })).toEqual(['a', 'b']);
});
