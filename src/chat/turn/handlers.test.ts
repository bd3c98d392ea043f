import { describe, expect, it } from 'vitest';
import { createNotebooksGroup, HeadlessApprovalAdapter, toolExecutorFactory } from '../../tools/index.ts';
import { TreeModel } from '../session/tree-model.ts';
import { sampleNotes } from '../testing/open-chat.ts';
import { counter, steppingClock, userPayload } from '../testing/samples.ts';
import { mergeChatOption, settingsOfChat } from './chat-settings.ts';
import { createChatHandler } from './handlers.ts';
import { createMessageLifecycle } from './lifecycle.ts';

describe('mergeChatOption', () => {
  it('merges deep, the chat’s own options win, null and empty fields go', () => {
    const settings = { temperature: 0.2, stop: [], response_format: { type: 'text', schema: { a: 1 } }, user: '', seed: null };
    expect(mergeChatOption(settings, { temperature: 0, response_format: { schema: { b: 2 } }, extra: {}, stream: false })).toEqual({
      temperature: 0,
      stream: false,
      response_format: { type: 'text', schema: { a: 1, b: 2 } },
    });
    expect(mergeChatOption({ stop: ['a'] }, { stop: ['b'] })).toEqual({ stop: ['b'] });
    expect(mergeChatOption({ top_p: 1 }, undefined)).toEqual({ top_p: 1 });
  });
});

describe('createChatHandler', () => {
  const clock = steppingClock();
  function make(enabled: boolean) {
    const executor = toolExecutorFactory({
      ...{ approvalAdapter: new HeadlessApprovalAdapter(), clock, groups: [createNotebooksGroup(sampleNotes())] },
      groupDefaults: { notebooks: enabled },
    });
    const settings = { systemPrompt: 'from settings', chatOption: { temperature: 0.5, user: '' }, toolCallMaxRounds: 10 };
    const own = { systemPrompt: 'from the chat', options: { temperature: 1 } };
    return createChatHandler({
      executor,
      settings: () => settingsOfChat(settings, own),
      today: clock.today,
      timeZone: 'UTC',
    });
  }

  it('puts tools, their rules and tool_choice in only where a tool is on', () => {
    for (const enabled of [true, false]) {
      const handler = make(enabled);
      const names = ['list_notebooks', 'manage_notebook', 'ListVars', 'ReadVar'];
      expect(handler.tools().map((tool) => tool.function.name)).toEqual(enabled ? names : []);
      expect(handler.buildChatOption()).toEqual(enabled ? { tool_choice: 'auto', temperature: 1 } : { temperature: 1 });
      expect(handler.buildSystemPrompt().includes('# Tools')).toBe(enabled);
      expect(handler.buildSystemPrompt()).toContain('from the chat');
    }
  });
});

describe('createMessageLifecycle', () => {
  function make() {
    const options = { newId: counter('x'), now: steppingClock().now };
    const tree = new TreeModel({ ...options, device: 'd' });
    return { tree, lifecycle: createMessageLifecycle({ tree, ...options }) };
  }

  it('fills each kind of slot; an unfinished answer counts as interrupted', () => {
    const { tree, lifecycle } = make();
    const question = tree.append({ role: 'user', payload: userPayload('v1', 'q') });
    const first = lifecycle.prepareSlot('append', 'm1');
    expect(tree.payload(first)).toMatchObject({ status: 'interrupted', author: 'm1' });
    lifecycle.finalize(first, { content: 'a', status: 'done' });
    expect(lifecycle.prepareSlot({ updateAt: first }, 'm2')).toBe(first);
    lifecycle.finalize(first, { content: 'b', status: 'done' });
    expect(Object.values(tree.node(first).versions).map((version) => version.message.content)).toEqual(['a', 'b']);
    const branch = lifecycle.prepareSlot({ insertAt: question.id }, 'm3');
    expect(tree.thread().map((node) => node.id)).toEqual([question.id, branch]);
  });

  it('writes what there is to say, and closes the version', () => {
    const { tree, lifecycle } = make();
    const id = lifecycle.prepareSlot('append', 'm');
    lifecycle.stream(id, { content: 'HINT so far', hintSize: 4 });
    expect(tree.payload(id)).toMatchObject({ userPromptSlice: [4, 11], status: 'interrupted' });
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    lifecycle.finalize(id, { content: 'HINTdone', hintSize: 4, status: 'done', usage, citations: [], writes: [], reasoning: '' });
    expect(tree.payload(id)).toEqual({
      ...{ id: expect.any(String), author: 'm', created: expect.any(Number), status: 'done', usage, token: 2, userPromptSlice: [4, 8] },
      message: { role: 'assistant', content: 'HINTdone' },
    });
    expect(() => lifecycle.stream(id, { content: 'more' })).toThrow('closed');
    const told = {
      time: { firstToken: 1, total: 2 },
      citations: ['b1'],
      writes: ['b2'],
      error: { code: 'timeout', message: 'm', next: 'n' },
    } as const;
    const other = lifecycle.prepareSlot('append', 'm');
    lifecycle.finalize(other, { content: 'a', status: 'error', reasoning: 'hm', ...told });
    expect(tree.payload(other)).toMatchObject({ ...told, status: 'error', message: { content: 'a', reasoning: 'hm' } });
  });
});
