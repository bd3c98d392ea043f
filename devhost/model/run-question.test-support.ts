import { expect } from 'vitest';
import { planReply } from './planner.ts';
import { answers, demoTools } from './scripted-notes.test-support.ts';
import type { ChatMessage, ToolSpec } from './types.ts';

/** Runs a question to its final answer against scripted tools, as the chat's loop would. */
export function run(
  question: string,
  options: {
    tools?: ToolSpec[];
    before?: ChatMessage[];
    override?: (name: string, args: Record<string, unknown>) => string | undefined;
  } = {},
) {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'Today is 2026-11-22.' },
    ...(options.before ?? []),
    { role: 'user', content: question },
  ];
  const rounds: { name: string; args: Record<string, unknown> }[][] = [];
  for (let round = 0; round < 12; round += 1) {
    const reply = planReply({ messages, tools: options.tools ?? demoTools });
    if (reply.toolCalls.length === 0) return { text: reply.content, rounds, messages, calls: rounds.flat() };
    messages.push({ role: 'assistant', content: '', tool_calls: reply.toolCalls });
    rounds.push(
      reply.toolCalls.map((call) => {
        const args = JSON.parse(call.function.arguments) as Record<string, unknown>;
        const content = options.override?.(call.function.name, args) ?? answers(call.function.name, args);
        messages.push({ role: 'tool', tool_call_id: call.id, content });
        return { name: call.function.name, args };
      }),
    );
  }
  throw new Error('the plan does not end');
}

/** Every cited id and every copied sentence is in some tool message of the turn. */
export function expectHonest(result: { text: string; messages: ChatMessage[] }) {
  const sources = result.messages.filter((message) => message.role === 'tool').map((message) => String(message.content));
  const all = sources.join('\n').replaceAll('**', '');
  const bullets = [...result.text.matchAll(/^- (.+) \(\((\d{14}-[0-9a-z]{7}) "[^"]+"\)\)$/gm)];
  expect(bullets.length).toBeGreaterThan(0);
  for (const [, sentence = '', id = ''] of bullets) {
    expect(all).toContain(sentence);
    expect(all).toContain(id);
  }
  expect(result.text).toMatch(/Offline demo: no language model/);
}
