import { describe, expect, it } from 'vitest';
import type { Message } from '../contract/messages.ts';
import { ANSWER_LEFT_OUT, NO_NOTES, type NoteRights, Withheld } from '../contract/provenance.ts';
import { releaseMessages } from './release.ts';

const source = { notebook: 'n1', document: 'd1' };
const rights: NoteRights = { ...NO_NOTES, obstacles: async (sources) => sources.map(() => new Set(['notebook n1'])) };

describe('an answer that was written with notes that may no longer be read', () => {
  it('goes back without words, arguments, thoughts and what the provider put beside its calls', async () => {
    const withheld = await Withheld.ask(rights, [source], new AbortController().signal);
    const call = { id: 'c1', type: 'function' as const, function: { name: 'read_doc', arguments: '{"id":"secret"}' } };
    const messages: Message[] = [
      {
        role: 'assistant',
        content: 'secret',
        reasoning: 'secret',
        tool_calls: [{ ...call, extra_content: { thought: 'secret' }, extra_fields: { answer: { reasoning_details: ['secret'] } } }],
      },
    ];
    const released = releaseMessages(messages, { sources: [source] }, withheld);
    expect(released).toEqual([
      { role: 'assistant', content: ANSWER_LEFT_OUT, tool_calls: [{ ...call, function: { name: 'read_doc', arguments: '{}' } }] },
    ]);
  });
});
