import { expect, it } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { estimateSent } from '../../tools/chain/context-budget.ts';
import type { CompletionRequest } from '../../tools/contract/messages.ts';
import { openChat } from '../testing/open-chat.ts';
import type { ChatSettings } from './chat-settings.ts';

/** A chat with a model whose requests may have so many tokens; undefined: it does not say. */
async function withWindow(tokens: number | undefined, replies: readonly ScriptedReply[], more: Partial<ChatSettings> = {}) {
  const scripted = createScriptedModel(replies);
  let now = tokens;
  const window = { tokens: async () => now, overflowed: () => undefined };
  let settings: ChatSettings = { systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10, ...more };
  const { chat } = await openChat({
    deps: {
      model: () => ({ status: { label: 'small', kind: 'ready' }, model: { ...scripted, window } }),
      settings: () => settings,
    },
  });
  const choose = (change: Partial<ChatSettings>): void => {
    settings = { ...settings, ...change };
  };
  const setWindow = (size: number): void => {
    now = size;
  };
  return { chat, requests: scripted.requests, choose, setWindow };
}

const namesOf = ({ tools = [] }: CompletionRequest): readonly string[] => tools.map((tool) => tool.function.name);
const prefixOf = ({ tools = [], messages }: CompletionRequest): string => JSON.stringify([tools, messages[0]]);
const costOf = ({ tools = [], messages }: CompletionRequest): number =>
  [tools, ...messages].reduce((sum: number, part) => sum + estimateSent(part), 0);
const SEARCH = { calls: [{ name: 'search_notes', arguments: { query: 'launch' } }] };

it('a model with 4,096 tokens gets the lean set, the same beginning over six turns, and room for a search', async () => {
  const { chat, requests } = await withWindow(3072, ['Hello!', SEARCH, 'In May.', 'A', 'B', 'C', 'D']);
  for (const text of ['Hello', 'When is the launch?', 'a', 'b', 'c', 'd']) await chat.send(text);
  expect(namesOf(requests[0] ?? { messages: [] })).toEqual([
    ...['edit_block', 'insert_blocks', 'create_doc', 'daily_note', 'read_doc', 'search_notes', 'ReadVar'],
  ]);
  expect(new Set(requests.map(prefixOf)).size).toBe(1);
  expect(requests.every(({ isLean }) => isLean)).toBe(true);
  expect(Math.max(...requests.map(costOf))).toBeLessThan(3072);
  expect(costOf(requests[0] ?? { messages: [] })).toBeLessThan(1365);
  const { messages, toolFit } = chat.view();
  expect(messages.map(({ status }) => status)).toEqual(Array(12).fill('done'));
  expect(toolFit).toMatchObject({ window: 4096, isLean: true, isOver: false });
  expect(toolFit?.leftOut).toContain('list_notebooks');
});

it.each([undefined, 24_000])('a model with room for everything gets every tool (%s)', async (tokens) => {
  const { chat, requests } = await withWindow(tokens, ['Hello!']);
  await chat.send('Hello');
  expect(namesOf(requests[0] ?? { messages: [] })).toContain('list_notebooks');
  expect(requests[0]?.isLean).toBeUndefined();
  expect(requests[0]?.messages[0]?.content).toContain('## Citations');
  expect(chat.view().toolFit).toBeUndefined();
});

it('a limit of the person counts as a window; a tool that is chosen goes along from the next question on; a larger window lets all in', async () => {
  const { chat, requests, choose, setWindow } = await withWindow(undefined, ['1', '2', '3'], { contextTokens: 4000 });
  await chat.send('a');
  expect(namesOf(requests[0] ?? { messages: [] })).not.toContain('list_notebooks');
  choose({ tools: { list_notebooks: true } });
  await chat.send('b');
  expect(namesOf(requests[1] ?? { messages: [] })).toContain('list_notebooks');
  choose({ contextTokens: undefined });
  setWindow(24_000);
  await chat.send('c');
  expect(namesOf(requests[2] ?? { messages: [] })).toContain('grep_doc');
  expect(chat.view().toolFit).toBeUndefined();
});
