import type { FoundNote } from '../../tools/contract/found-notes.ts';
import type { ContextChoice } from '../ports/context-choice.ts';
import type { NoteChoice } from '../ports/host-ui.ts';

/** What can be attached to a question. */
export const CHOICES: readonly ContextChoice[] = [
  { kind: 'document', group: 'here', id: '20260412093000-apollo0', title: 'Apollo', place: 'Open note' },
  {
    kind: 'selection',
    group: 'here',
    id: '20260412093000-caretat',
    title: 'The kickoff is on Monday',
    place: 'Selected text',
    text: 'The kickoff is on Monday.',
  },
  {
    kind: 'document',
    group: 'related',
    id: '20260412093000-plan000',
    title: 'Launch plan',
    place: 'In both: launch, budget',
    relatedTo: 'Apollo',
  },
  { kind: 'document', group: 'documents', id: '20260412093000-heat000', title: 'Urban heat', place: 'Research/Climate/Urban heat' },
  {
    kind: 'document',
    group: 'documents',
    id: '20260412093000-journal',
    title: '城市热岛的观测记录与整理',
    place: 'Research/观测/城市热岛的观测记录与整理',
  },
  { kind: 'block', group: 'blocks', id: '20260412093000-block00', title: 'Street trees cool the surface by 12 °C', place: 'Urban heat' },
  { kind: 'notebook', group: 'notebooks', id: 'nb-research', title: 'Research', place: '' },
  { kind: 'tag', group: 'tags', id: 'thesis', title: 'thesis', place: '12' },
  { kind: 'search', group: 'searches', id: 'Open tasks', title: 'Open tasks', place: '' },
];

/** Notes related to the open one, the first of them. */
export const RELATED: readonly FoundNote[] = [
  {
    id: '20260412093000-plan000',
    title: 'Launch plan',
    path: '/Projects/Apollo/Launch plan',
    notebook: 'Work',
    passages: [{ id: '20260412093000-plan001', text: 'The launch needs a budget of its own.' }],
    shared: ['launch', 'budget'],
  },
  { id: '20260412093000-money00', title: 'Budget 2026', path: '/Budget 2026', notebook: 'Work', passages: [], shared: ['budget'] },
];

/** Notes that can be chosen by their titles. */
export const NOTES: readonly NoteChoice[] = [
  { id: '20260412093000-apollo0', title: 'Apollo', place: 'Projects/Apollo' },
  { id: '20260412093000-heat000', title: 'Urban heat', place: 'Research/Climate/Urban heat' },
  { id: '20260412093000-journal', title: '城市热岛的观测记录与整理', place: 'Research/观测/城市热岛的观测记录与整理' },
];
