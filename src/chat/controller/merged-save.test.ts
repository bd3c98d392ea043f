import { expect, it } from 'vitest';
import { openChat } from '../testing/open-chat.ts';

it('shows what a save brought from another window as soon as it is saved', async () => {
  const here = await openChat({ replies: ['One.', 'Here.'] });
  await here.chat.send('first');
  const there = await openChat({ storage: here.storage, replies: ['There.'], run: 2 });
  let shown = here.chat.view();
  here.chat.subscribe((view) => {
    shown = view;
  });
  await there.chat.send('from there');
  await here.chat.send('from here');
  expect(shown.messages.map(({ position }) => position?.branches)).toEqual([undefined, undefined, 2, undefined]);
});
