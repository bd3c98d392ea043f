// What a service that is killed keeps: the built program, in front of the development host in a process of its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { type RunningService, startRunningService } from '../soak/running-service.ts';
import { eventsOf } from './support.ts';

/** How often the process is killed; MARGINALIA_KILLS for a longer run. */
const KILLS = Number(process.env.MARGINALIA_KILLS ?? 4);
const CHATS = 4;
/** Larger than what a browser could note. */
const LONG = 'many words '.repeat(150_000);

let service: RunningService;
beforeAll(async () => {
  service = await startRunningService();
  // No answer comes before the end.
  service.model.otherwise({ text: 'Never.', hold: new Promise(() => undefined) });
}, 120_000);
afterAll(() => service.close());

/** Sends a question; resolves when its `start` is here. */
async function start(session: string, message: string): Promise<string> {
  const body = JSON.stringify({ session_id: session, message });
  const sent = await fetch(`${service.url}/api/chat/send`, { method: 'POST', headers: service.headers, body });
  for await (const { event } of eventsOf(sent)) if (event === 'start') return session;
  throw new Error(`${session}: no start`);
}

async function questionsOf(session: string): Promise<string[]> {
  const answer = await fetch(`${service.url}/api/chat/sessions/${session}/messages`, { headers: service.headers });
  const messages = (await answer.json()) as MessageView[] | { error: object };
  return Array.isArray(messages) ? messages.filter(({ role }) => role === 'user').map(({ content }) => content) : [];
}

it('finds every question whose start a client has seen, when it is killed in that moment', {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const lost: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const started = new Set<string>();
    const sent = Array.from({ length: CHATS }, (_, chat) =>
      start(`killed-${kill}-${chat}`, chat === 0 ? LONG : `Question ${kill}.${chat}?`).then((session) => started.add(session)),
    );
    await Promise.any(sent);
    await service.killAndStart();
    await Promise.allSettled(sent);
    for (const session of started) {
      const questions = await questionsOf(session);
      if (questions.length !== 1) lost.push(session);
    }
    expect(started.size).toBeGreaterThan(0);
  }
  expect(lost).toEqual([]);
});
