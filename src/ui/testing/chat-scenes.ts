import { answer, type FakeController, userMessage } from './fake-controller.ts';

const DAY = 864e5;
const TAGS = [['thesis'], ['thesis', 'heat'], [], ['garden'], [], [], []];

const question = userMessage('What cools a street most?', {
  nodeId: 'q1',
  position: { branch: 2, branches: 3, version: 1, versions: 1 },
});
const reply = answer([{ kind: 'text', text: 'Street trees do: about **12 °C** on the surface, in your own measurements of 2024.' }], {
  nodeId: 'a1',
  position: { branch: 1, branches: 1, version: 2, versions: 2 },
  usage: { prompt_tokens: 3100, completion_tokens: 410, total_tokens: 3510 },
  time: { firstToken: 600, total: 4200 },
});

/** Chats as things that are kept, and messages with versions and branches. */
export const chatScenes = {
  branches: (controller: FakeController): void =>
    controller.set({
      title: 'Urban heat',
      messages: [
        question,
        reply,
        userMessage('My address is Elm Street 4. Never mind that.', { nodeId: 'q2', hidden: true }),
        answer([{ kind: 'text', text: 'I leave it out.' }], { nodeId: 'a2', hidden: true }),
        userMessage('Always answer in metric units, and shortly.', { nodeId: 'q3', pinned: true }),
        answer([{ kind: 'text', text: 'I will.' }], { nodeId: 'a3' }),
      ],
    }),
  elsewhere: (controller: FakeController): void =>
    controller.set({
      title: 'Urban heat',
      messages: [question, answer([{ kind: 'text', text: 'Street trees do' }], { status: 'streaming' })],
      blocked: { code: 'chat_elsewhere', message: 'another window is writing an answer in this chat', next: 'wait until it is finished' },
    }),
  library: (controller: FakeController): void => {
    controller.library.summaries = Array.from({ length: 3000 }, (_, index) => ({
      id: `session-${index + 1}`,
      title: ['Urban heat', 'Thesis outline and what is missing in the second chapter', 'Bread', ''][index % 4] ?? '',
      updated: Date.now() - index * DAY * 0.4,
      pinned: index === 0,
      messages: 2 + (index % 9),
      tags: TAGS[index % TAGS.length] ?? [],
      archived: index % 50 === 49 ? true : undefined,
    }));
    controller.library.said = { 'session-3': 'Knead it, and let the dough rest over night in the cool pantry.' };
    controller.library.deleted = [
      { id: 'session-x', title: 'An old idea', updated: Date.now() - DAY, pinned: false, messages: 3, deleted: Date.now() - DAY },
    ];
    controller.set({ title: 'Urban heat', messages: [question, reply] });
  },
  kept: (controller: FakeController): void =>
    controller.set({
      messages: [
        question,
        answer([{ kind: 'text', text: 'Written.' }], {
          undo: { blocks: 2, kind: 'exact', undone: true, kept: 2 },
          undoReport: { restored: [], conflicts: [] },
        }),
      ],
    }),
};
