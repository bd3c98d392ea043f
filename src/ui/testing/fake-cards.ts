import type { DueCard } from '../../tools/contract/card-review.ts';
import type { HostUi } from '../ports/host-ui.ts';

const card = (n: number, front: string, answer: string): DueCard => ({
  ...{ id: `20260412093000-card00${n}`, cardId: `20260412093000-riff00${n}`, deckId: '20230218211946-2kw8jgx', reviews: 0 },
  document: { id: '20260412093000-apollo0', title: 'Apollo', path: '/Projects/Apollo' },
  notebook: { id: '20260412093000-work000', name: 'Work' },
  ...{ front, whole: `${front}\n\n  - ${answer}` },
  next: { 1: '1 minute', 2: '5 minutes', 3: '10 minutes', 4: '16 days' },
});

/** Two cards that are due. */
export function fakeCards(log: (...entry: [string, ...string[]]) => void): HostUi['cards'] {
  let due = [card(1, '- Who led Apollo?', 'Ada'), card(2, '- When?', '1969')];
  return {
    due: async ({ notebook, document }) => {
      log('due', notebook ?? document ?? 'all');
      return due;
    },
    rate: async ({ cardId }, rating) => {
      log('rate', cardId, String(rating));
      due = due.filter((each) => each.cardId !== cardId);
    },
  };
}
