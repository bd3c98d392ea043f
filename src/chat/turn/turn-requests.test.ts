import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import type { RequestWindow } from '../../tools/chain/chain-requests.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest } from '../../tools/contract/messages.ts';
import type { Session } from '../session/types.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import { type OpenChat, openChat } from '../testing/open-chat.ts';
import { answerPayload, node, session, steppingClock, userPayload } from '../testing/samples.ts';
import type { ChatSettings } from './chat-settings.ts';

const BASE: ChatSettings = { systemPrompt: 'Be brief.', chatOption: { temperature: 0.3 }, toolCallMaxRounds: 2 };
const look = (id: string): ScriptedReply => ({
  text: `Look ${id}.`,
  calls: [{ name: 'search_notes', arguments: { query: 'launch' }, id }],
});
const tokensOf = ({ messages, tools }: CompletionRequest): number =>
  estimateTokenCount(JSON.stringify(messages) + JSON.stringify(tools ?? []));

interface Made {
  readonly settings?: Partial<ChatSettings>;
  readonly saved?: Session;
  readonly replies: readonly ScriptedReply[];
  readonly window?: RequestWindow;
}

async function open({ settings = {}, saved, replies, window }: Made): Promise<OpenChat> {
  const storage = createMemoryStorage();
  if (saved) await createChatStore({ storage, device: 'dev', now: steppingClock().now }).save(saved);
  const model = createScriptedModel(replies);
  const answering = window ? { ...model, window } : model;
  const deps = {
    settings: () => ({ ...BASE, ...settings }),
    model: () => ({ status: { label: 'm', kind: 'ready' as const }, model: answering }),
  };
  return { ...(await openChat({ storage, deps })), model };
}

/** `count` questions and answers of about 50 tokens each. */
function longChat(count: number, extras: Partial<Session> = {}): Session {
  const nodes = Array.from({ length: count }, (_one, index) => {
    const content = `text ${index} ${'word '.repeat(45)}`;
    const payload = index % 2 ? answerPayload(`v${index}`, content) : userPayload(`v${index}`, content);
    return node(`n${index}`, index % 2 ? 'assistant' : 'user', index === 0 ? null : `n${index - 1}`, payload);
  });
  return session('s1', { nodes: Object.fromEntries(nodes.map((one) => [one.id, one])), rootId: 'n0', leafId: `n${count - 1}`, ...extras });
}

describe('every request of a turn, the first, those of its rounds and the closing one', () => {
  it('has the prompt, the privacy rule, the options, the tools and the conversation; the rounds are as many as are set', async () => {
    const settings = { privacy: { enabled: true, fields: [{ match: 'Mallory', label: 'a name' }] } };
    const opened = await open({ settings, saved: longChat(2), replies: [look('a'), look('b'), look('c'), 'Closing.'] });
    await opened.chat.send('and the launch?');
    const { requests } = opened.model;
    expect(requests).toHaveLength(4);
    const [first] = requests;
    for (const [index, { messages, tools, chatOption }] of requests.entries()) {
      expect(messages[0]).toEqual(first?.messages[0]);
      expect(messages[0]?.content).toMatch(
        /Be brief\.[\s\S]*<PRIVACY_RULE>[\s\S]*Of the fields, field 1 is a name\.[\s\S]*<\/PRIVACY_RULE>[\s\S]*# Tools/u,
      );
      expect(messages.slice(1, 4).map(({ content }) => content.slice(0, 15))).toEqual([
        'text 0 word wor',
        'text 1 word wor',
        'and the launch?',
      ]);
      expect(tools?.map((tool) => tool.function.name)).toEqual(first?.tools?.map((tool) => tool.function.name));
      expect(tools?.length).toBeGreaterThan(10);
      expect(chatOption).toEqual({ temperature: 0.3, tool_choice: index < 3 ? 'auto' : 'none' });
    }
    // Two rounds were run, the third was answered without being run.
    const results = requests[3]?.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : [])) ?? [];
    expect(results.map((content) => content.startsWith('round_limit'))).toEqual([false, false, true]);
    expect(opened.chat.view().messages.at(-1)?.segments.at(-1)).toMatchObject({ text: 'Closing.' });
  });

  it('has the chat’s own prompt and options before those of the settings, its tool_choice too', async () => {
    const saved = longChat(2, { systemPrompt: 'Rhyme.', options: { temperature: 1, tool_choice: 'required' } });
    const opened = await open({ saved, replies: [look('a'), look('b'), look('c'), 'Closing.'] });
    await opened.chat.send('and the launch?');
    expect(opened.model.requests.map(({ chatOption }) => chatOption)).toEqual([
      ...Array.from({ length: 3 }, () => ({ temperature: 1, tool_choice: 'required' })),
      { temperature: 1, tool_choice: 'none' },
    ]);
    for (const { messages } of opened.model.requests) expect(messages[0]?.content).toMatch(/Rhyme\./u);
    for (const { messages } of opened.model.requests) expect(messages[0]?.content).not.toContain('Be brief.');
  });

  it('has no privacy rule where it is switched off', async () => {
    const opened = await open({ settings: { privacy: { enabled: false, fields: ['Mallory'] } }, replies: ['Yes.'] });
    await opened.chat.send('hello?');
    expect(JSON.stringify(opened.model.requests)).not.toContain('Mallory');
  });

  it('stays within the tokens that are set: the oldest of the conversation is left out, the question never', async () => {
    const opened = await open({
      settings: { contextTokens: 6000 },
      saved: longChat(200),
      replies: [look('a'), look('b'), look('c'), 'Closing.'],
    });
    await opened.chat.send('and the launch?');
    expect(opened.model.requests).toHaveLength(4);
    for (const request of opened.model.requests) {
      expect(tokensOf(request)).toBeLessThanOrEqual(6000);
      const said = request.messages.map(({ content }) => content);
      expect(said).toContain('and the launch?');
      expect(said.some((content) => content.startsWith('text 199'))).toBe(true);
      expect(said.some((content) => content.startsWith('text 0'))).toBe(false);
    }
  });

  it('is sent once more, and smaller, after an overflow, whichever request it is; the model’s window hears of it', async () => {
    for (const at of [0, 1, 2]) {
      const replies: ScriptedReply[] = [look('a'), look('b'), 'Done.'];
      replies.splice(at, 0, { error: new ToolError('model_context_overflow', 'too long', 'shorten') });
      const heard: number[] = [];
      const window = { tokens: async () => undefined, overflowed: (estimate: number) => void heard.push(estimate) };
      const opened = await open({ saved: longChat(400), replies, window });
      await opened.chat.send('and the launch?');
      const sizes = opened.model.requests.map(tokensOf);
      expect(sizes).toHaveLength(4);
      expect(sizes[at + 1]).toBeLessThan((sizes[at] ?? 0) * 0.6);
      expect(heard).toHaveLength(1);
      expect(opened.chat.view().messages.at(-1)).toMatchObject({ status: 'done' });
      expect(opened.model.requests[at + 1]?.messages.some(({ content }) => content === 'and the launch?')).toBe(true);
    }
  });

  it('of 10,000 messages holds what the model takes, where nobody set a limit', async () => {
    const window = { tokens: async () => 24_000, overflowed: () => undefined };
    const opened = await open({ saved: longChat(10_000), replies: ['Yes.'], window });
    await opened.chat.send('and now?');
    const [request] = opened.model.requests;
    expect(tokensOf(request as CompletionRequest)).toBeLessThanOrEqual(24_000);
    expect(JSON.stringify(request).length).toBeLessThan(200_000);
  });
});

describe('the saved tool messages of a turn', () => {
  it('are kept and sent with full history, and counted as they are sent; the time of the tools counts', async () => {
    const filler = { name: 'calculate', arguments: { expression: `1${'+1'.repeat(900)}` }, id: 'c-long' };
    const opened = await open({
      settings: { toolHistory: 'full', contextTokens: 7000 },
      replies: [{ calls: [filler] }, 'First.', 'Second.', { calls: [{ ...filler, id: 'c-2' }] }, 'Third.', 'Fourth.'],
    });
    await opened.chat.send('one?');
    await opened.chat.send('two?');
    const second = opened.model.requests[2]?.messages.map(({ role }) => role);
    expect(second).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    const { messages } = opened.chat.view();
    expect(messages[1]?.time?.total).toBeGreaterThan(2);
    await opened.chat.send('three?');
    await opened.chat.send('four?');
    for (const request of opened.model.requests) expect(tokensOf(request)).toBeLessThanOrEqual(7000);
  });

  it('share no call id with those of a later turn, though the model gives one twice', async () => {
    const opened = await open({ settings: { toolHistory: 'full' }, replies: [look('a'), 'First.', look('a'), 'Second.'] });
    await opened.chat.send('one?');
    await opened.chat.send('two?');
    const ids = (request: CompletionRequest | undefined) =>
      request?.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
    expect(opened.model.requests.map(ids)).toEqual([[], ['a'], ['a'], ['a', 'a_2']]);
  });

  it('are neither kept nor sent where the history is compressed', async () => {
    const opened = await open({ replies: [look('a'), 'First.', 'Second.'] });
    await opened.chat.send('one?');
    await opened.chat.send('two?');
    expect(opened.model.requests[2]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    await opened.chat.dispose();
    const file = await opened.storage.read(`sessions/${opened.chat.view().sessionId}.json`);
    expect(file).toContain('search_notes');
    expect(file).not.toContain('toolChainMessages');
  });
});

describe('a question that is answered again', () => {
  it('is always sent, hidden or deleted as it may be', async () => {
    for (const change of ['setHidden', 'remove'] as const) {
      const opened = await open({ replies: ['a1', 'a2', 'again'] });
      await opened.chat.send('q1');
      await opened.chat.send('q2');
      const [question, answer] = opened.chat.view().messages;
      await opened.chat.messages[change](question?.nodeId ?? '', true);
      await opened.chat.rerun(answer?.nodeId ?? '');
      expect(opened.model.requests[2]?.messages.slice(1).map(({ content }) => content)).toEqual(['q1']);
    }
  });

  it('brings a deleted answer in the middle back as a version in its place, with what followed it', async () => {
    const opened = await open({ replies: ['a1', 'a2', 'again'] });
    await opened.chat.send('q1');
    await opened.chat.send('q2');
    const [question, answer] = opened.chat.view().messages;
    await opened.chat.messages.remove(answer?.nodeId ?? '');
    expect(opened.chat.view().messages).toHaveLength(3);
    await opened.chat.rerun(question?.nodeId ?? '');
    const said = opened.chat
      .view()
      .messages.map(({ segments }) => segments.map((segment) => ('text' in segment ? segment.text : '')).join(''));
    expect(said).toEqual(['q1', 'again', 'q2', 'a2']);
    expect(opened.chat.view().messages[1]).toMatchObject({ nodeId: answer?.nodeId, position: { versions: 2, version: 2 } });
  });
});
