import { describe, expect, it } from 'vitest';
import { createOpenAIModel } from '../../model/openai-model.ts';
import { openChat } from '../testing/open-chat.ts';

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A model whose server streams these texts, one answer after another. */
function serving(...answers: readonly (readonly string[])[]) {
  const bodies: string[] = [];
  const queue = [...answers];
  const fetch = async (_url: string | URL | Request, init?: RequestInit) => {
    bodies.push(String(init?.body));
    const pieces = queue.shift() ?? ['No more.'];
    return new Response([...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]\n\n'].join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
  return { model: createOpenAIModel({ baseURL: 'https://host.test/v1', apiKey: '', model: 'm', fetch }), bodies };
}

describe('thoughts that a server sends among the text', () => {
  it.each([
    ['between marks', ['<thi', 'nk>Tea or coffee?</th', 'ink>\n\nTea.']],
    ['before the mark of their end alone', ['Tea or ', 'coffee?', '\n</think>', '\n\nTea.']],
  ])('%s are shown as thoughts, and not sent back', async (_where, pieces) => {
    const { model, bodies } = serving(pieces, ['Yes.']);
    const { chat, until } = await openChat({ deps: { model: () => ({ status: { label: 'm', kind: 'ready' }, model }) } });
    await chat.send('What?');
    const { messages } = await until(({ messages: all }) => all.at(-1)?.status === 'done');
    expect(messages.at(-1)?.segments).toEqual([
      { kind: 'reasoning', text: 'Tea or coffee?' },
      { kind: 'text', text: 'Tea.' },
    ]);
    await chat.send('Sure?');
    await until(({ messages: all }) => all.length === 4 && all.at(-1)?.status === 'done');
    expect(bodies[1]).toContain('Tea.');
    expect(bodies[1]).not.toMatch(/coffee|think/);
  });
});
