import { describe, expect, it } from 'vitest';
import type { EditorRequest } from '../../../app/panel-host.ts';
import { type CardRequestDeps, runCardRequest } from './card-requests.ts';

const PROMPTS = [
  { id: 'ask', name: 'Compare', prompt: 'Compare with {{clipboard}}', output: 'ask' },
  { id: 'card', name: 'Rewrite', prompt: 'Rewrite like {{clipboard}}', output: 'replace' },
  { id: 'plain', name: 'Plain', prompt: 'Shorten it', output: 'ask' },
];

function bench(clipboard: string, agrees: boolean, group: object = { group: 'databases', enabled: true, tools: [] }) {
  const done: unknown[] = [];
  const log =
    (name: string) =>
    async (...values: unknown[]): Promise<void> =>
      void done.push([name, ...values]);
  const parts = {
    attach: async ({ ids }: EditorRequest) => {
      done.push(...ids.map((id) => ['attached', id]));
      return ids.map((id) => ({ kind: 'document', id, title: 'The {{note}}', text: '' }));
    },
    frame: {
      controller: { send: log('send'), typed: { putBack: log('composer') } },
      settings: {
        get: () => ({ prompts: PROMPTS }),
        tools: () => [group],
        setGroup: log('setGroup'),
      },
      host: {
        readClipboard: async () => clipboard,
        confirm: async ({ text }: { text: string }) => {
          done.push(['asked', text]);
          return agrees;
        },
      },
    },
    cards: { open: async (_request: unknown, task: { prompt: string }) => log('card')(task.prompt) },
    chats: { clock: { today: () => '2026-11-23' } },
    t: (key: string, values: Readonly<Record<string, unknown>> = {}) => `${key} ${Object.values(values).join(' ')}`.trim(),
  } as unknown as CardRequestDeps;
  const run = (id: string): Promise<void> =>
    runCardRequest(parts, { kind: 'document', ids: [], action: `prompt:${id}` } as unknown as EditorRequest);
  const ask = (action: string): Promise<void> =>
    runCardRequest(parts, { kind: 'document', ids: ['d2'], action } as unknown as EditorRequest);
  return { done, run, ask };
}

describe('what a prompt takes from the clipboard', () => {
  it('stands in the composer before it is sent; without it a prompt is sent at once', async () => {
    const { done, run } = bench('hunter2', true);
    await run('ask');
    await run('plain');
    expect(done).toEqual([
      ['composer', 'Compare with hunter2'],
      ['send', 'Shorten it'],
    ]);
  });

  it('is shown before a card sends it, which can be refused', async () => {
    const refused = bench('hunter2', false);
    await refused.run('card');
    expect(refused.done).toEqual([['asked', 'prompts.clipboard.text Rewrite 7 hunter2']]);
    const agreed = bench('hunter2', true);
    await agreed.run('card');
    expect(agreed.done.at(-1)).toEqual(['card', 'Rewrite like hunter2']);
  });
});

describe('a command for databases', () => {
  it('asks at once about the note, with its title and today', async () => {
    const { done, ask } = bench('', true);
    await ask('overdue');
    expect(done).toEqual([
      ['attached', 'd2'],
      ['send', 'prompts.overdue.text'],
    ]);
  });

  it('switches on tools that were off for want of a database, and is refused where the person switched them off', async () => {
    const missing = bench('', true, { group: 'databases', enabled: false, follows: 'databases', tools: [] });
    await missing.ask('table');
    expect(missing.done).toContainEqual(['setGroup', 'databases', true]);
    const off = bench('', true, { group: 'databases', enabled: false, tools: [] });
    await expect(off.ask('file')).rejects.toThrow('prompts.databasesOff');
    expect(off.done).toEqual([]);
  });
});
