import { describe, expect, it } from 'vitest';
import { createOpenAIModel } from '../../model/openai-model.ts';
import { openChat } from '../testing/open-chat.ts';

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A model whose server streams these texts, one answer after another. */
function serving(...answers: readonly (readonly string[])[]) {
  return ending('stop', ...answers);
}

/** The first answer ends so, the others are whole. */
function ending(reason: string, ...answers: readonly (readonly string[])[]) {
  const bodies: string[] = [];
  const queue = [...answers];
  const fetch = async (_url: string | URL | Request, init?: RequestInit) => {
    bodies.push(String(init?.body));
    const pieces = queue.shift() ?? ['No more.'];
    return new Response(
      [...pieces.map((content) => chunk({ content })), chunk({}, bodies.length === 1 ? reason : 'stop'), 'data: [DONE]\n\n'].join(''),
      {
        headers: { 'content-type': 'text/event-stream' },
      },
    );
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

describe('an answer that is not simply whole', () => {
  const opened = async (...given: Parameters<typeof ending>) => {
    const { model, bodies } = ending(...given);
    const { chat, until } = await openChat({ deps: { model: () => ({ status: { label: 'm', kind: 'ready' }, model }) } });
    await chat.send('What?');
    const { messages } = await until(({ messages: all }) => all.length === 2 && all.at(-1)?.status !== 'streaming');
    return { chat, until, bodies, answer: messages.at(-1) };
  };

  it.each(['length', 'max_tokens', 'MAX_TOKENS', 'model_length'])(
    'says that its limit cut it off (%s), and goes on in the same message',
    async (reason) => {
      const { chat, until, bodies, answer } = await opened(reason, ['The steps are: plan, dra'], ['The steps are: plan, draft and send.']);
      expect(answer).toMatchObject({ status: 'done', end: 'length', segments: [{ kind: 'text', text: 'The steps are: plan, dra' }] });
      await chat.rerun(answer?.nodeId ?? '', true);
      const { messages } = await until(({ messages: all }) => all.at(-1)?.status === 'done');
      expect(messages).toHaveLength(2);
      expect(messages.at(-1)?.segments).toEqual([{ kind: 'text', text: 'The steps are: plan, draft and send.' }]);
      expect(messages.at(-1)?.end).toBeUndefined();
      expect(bodies[1]).toMatch(/plan, dra.*cut off at its length limit/);
    },
  );

  it('goes on without what the model says again', async () => {
    const { chat, until, answer } = await opened('length', ['The steps are: plan, dra'], ['steps are: plan, draft and send.']);
    await chat.rerun(answer?.nodeId ?? '', true);
    const { messages } = await until(({ messages: all }) => all.at(-1)?.status === 'done');
    expect(messages.at(-1)?.segments).toEqual([{ kind: 'text', text: 'The steps are: plan, draft and send.' }]);
  });

  it.each([
    ['content_filter', 'filter'],
    ['SAFETY', 'filter'],
    ['sensitive', 'filter'],
    ['refusal', 'refusal'],
  ])('says what stopped it: %s', async (reason, end) => {
    expect((await opened(reason, ['Well, first'])).answer).toMatchObject({ status: 'done', end });
  });

  it('fails for what it is where it says nothing', async () => {
    expect((await opened('length', ['<think>On and on'])).answer).toMatchObject({ status: 'error', error: { code: 'model_limit_used' } });
    expect((await opened('content_filter', [])).answer).toMatchObject({ status: 'error', error: { code: 'model_filtered' } });
  });

  it('says that a call stands in it as text', async () => {
    const { answer } = await opened('stop', ['<tool_call>\n{"name": "search_notes", "arguments": {"query": "tea"}}\n</tool_call>']);
    expect(answer).toMatchObject({ status: 'done', end: 'text-call' });
  });
});
