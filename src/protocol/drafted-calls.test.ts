import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from './protocols.ts';
import { cutsOf } from './testing/cuts.ts';
import { answerOf } from './testing/text-answers.ts';

describe.each(PROTOCOLS)('a call of $id that stands among thoughts', (protocol) => {
  const draft = protocol.formatToolRequest({ toolName: 'find', args: { q: 'draft' } });
  const meant = protocol.formatToolRequest({ toolName: 'find', args: { q: 'meant' } });

  it.each([
    ['and they go on behind it', `I could ask:\n${draft}\nNo, better the other way.\n</think>\n\n${meant}`],
    ['and ends them', `I ask:\n${draft}\n</think>\n${meant}`],
    ['with nothing around the mark', `I ask: ${draft}</think>${meant}`],
    ['with words before the mark and the call behind it', `I ask: ${draft} but not so</think>${meant}`],
    ['twice', `${draft}\nOr so:\n${draft}\nNo.</thinking>\n${meant}`],
    ['and was not finished', `I ask: ${draft.slice(0, -40)}\n</think>\n${meant}`],
  ])('never runs, the one behind them does, however the answer is cut: %s', async (_where, text) => {
    for (const pieces of cutsOf(text)) {
      const { content, calls, paused } = await answerOf(protocol, pieces);
      expect([content, calls, paused], JSON.stringify(pieces)).toEqual(['', ['find {"q":"meant"}'], [true]]);
    }
  });

  it('never runs where no call follows the thoughts', async () => {
    for (const pieces of cutsOf(`I could ask:\n${draft}\nBut I know it.\n</think>\n\nFour.`)) {
      expect(await answerOf(protocol, pieces)).toMatchObject({ content: 'Four.', calls: [] });
    }
  });

  it('runs where a value of it holds such a mark', async () => {
    for (const mark of ['</think>', 'so.</think>Tea', 'so.\n</think>\nTea']) {
      const text = `I look.\n${protocol.formatToolRequest({ toolName: 'find', args: { q: mark } })}`;
      for (const pieces of cutsOf(text)) {
        const { content, calls } = await answerOf(protocol, pieces);
        expect([content, calls], JSON.stringify(pieces)).toEqual(['I look.', [`find ${JSON.stringify({ q: mark })}`]]);
      }
    }
  });

  it('is cut at once where thoughts stood apart, or a result is made up', async () => {
    const made = protocol.formatToolResults([{ requestId: 'r', toolName: 'find', status: 'success', result: 'made up', durationMs: 1 }]);
    for (const text of [`<think>So.</think>${meant}\nI found it. ${draft}`, `${meant}\n${made}\nIt is so. ${draft}`]) {
      for (const pieces of cutsOf(text)) {
        expect(await answerOf(protocol, pieces)).toMatchObject({ content: '', calls: ['find {"q":"meant"}'], isCut: true });
      }
    }
  });

  it('is not run twice where the model goes on as if it knew the result', async () => {
    for (const pieces of cutsOf(`${meant}\nI found it.\n${draft}`)) {
      expect(await answerOf(protocol, pieces)).toMatchObject({ content: '', calls: ['find {"q":"meant"}'], isCut: false });
    }
  });
});
