import { describe, expect, it } from 'vitest';
import type { MessageView } from '../../chat/view/view.ts';
import { emptyView } from '../testing/fake-controller.ts';
import { rewind } from './rewind.ts';

type Deps = Parameters<typeof rewind>[2];

const wrote = (nodeId: string, kind: 'exact' | 'partial' | 'none' = 'exact'): MessageView => ({
  nodeId,
  role: 'assistant',
  segments: [],
  hint: '',
  contexts: [],
  attachments: [],
  status: 'done',
  citations: [],
  author: 'm',
  created: 1,
  undo: { blocks: 1, kind, undone: false },
});

function bench(later: readonly MessageView[], { sure = true, conflictAt = '' } = {}) {
  const log: unknown[] = [];
  let messages = [wrote('a1'), ...later];
  const conflicts = [{ blockId: 'b', reasons: [{ code: 'changed' as const }] }];
  const deps = {
    t: (key: string) => key,
    host: {
      confirm: async ({ text }: { text: string }) => {
        log.push(['confirm', text]);
        return sure;
      },
    },
    panel: {
      say: (text: string) => log.push(['say', text]),
      goTo: async (at: number) => log.push(['goTo', at]),
      focusComposer: () => undefined,
    },
    controller: {
      view: () => ({ ...emptyView, messages }),
      undo: async (nodeId: string) => {
        log.push(['undo', nodeId]);
        messages = messages.map((each) => {
          if (each.nodeId !== nodeId || !each.undo) return each;
          const left = nodeId === conflictAt ? conflicts : [];
          return { ...each, undo: { ...each.undo, undone: true }, undoReport: { restored: ['x'], conflicts: left } };
        });
      },
      messages: { continueFrom: async (nodeId: string) => log.push(['continueFrom', nodeId]), reveal: async () => undefined },
    },
  } as unknown as Deps;
  return { log, run: () => rewind('a1', later, deps) };
}

describe('going back to an answer with the notes', () => {
  it('undoes what later answers wrote, the last one first, then goes on from it', async () => {
    const { log, run } = bench([wrote('a2'), wrote('a3')]);
    await run();
    expect(log).toEqual([
      ['confirm', 'rewind.ask'],
      ['undo', 'a3'],
      ['undo', 'a2'],
      ['continueFrom', 'a1'],
      ['say', 'rewind.done'],
    ]);
  });

  it('does nothing where the question is answered with no, and says before what can only come back in part', async () => {
    const { log, run } = bench([wrote('a2', 'partial')], { sure: false });
    await run();
    expect(log).toEqual([['confirm', 'rewind.askPartial']]);
  });

  it('stays where something cannot be undone at all, and undoes the rest', async () => {
    const { log, run } = bench([wrote('a2', 'none'), wrote('a3')]);
    await run();
    expect(log).toEqual([
      ['confirm', 'rewind.askPartial'],
      ['undo', 'a3'],
      ['say', 'rewind.left'],
      ['goTo', 1],
    ]);
  });

  it('stays at what was changed since, in sight', async () => {
    const { log, run } = bench([wrote('a2'), wrote('a3')], { conflictAt: 'a2' });
    await run();
    expect(log.slice(1)).toEqual([
      ['undo', 'a3'],
      ['undo', 'a2'],
      ['say', 'rewind.left'],
      ['goTo', 1],
    ]);
  });
});
