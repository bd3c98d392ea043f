import { describe, expect, it } from 'vitest';
import type { AnswerSegment, MessageView } from '../../chat/view/view.ts';
import { answer, userMessage } from '../testing/fake-controller.ts';
import { canReadNotes, unreadAnswers } from './notes-use.ts';

const said: AnswerSegment = { kind: 'text', text: 'Paris.' };
function called(tool: string, status: 'success' | 'error' = 'success'): AnswerSegment {
  return { kind: 'call', call: { callId: tool, tool, args: {}, status, started: 0 } };
}
const context = { contextId: 'c', kind: 'document', id: 'd', title: 'Apollo', text: 'x' } as const;

function unread(...messages: readonly MessageView[]): (string | undefined)[] {
  const found = unreadAnswers(messages, true);
  return messages.filter((message) => message.role === 'assistant').map((message) => found.get(message.nodeId));
}

describe('answers that used no note', () => {
  it('are those that read nothing and cite nothing', () => {
    expect(unread(userMessage('q'), answer([said]))).toEqual(['never']);
    expect(unread(userMessage('q'), answer([called('calculate'), called('get_forecast'), said]))).toEqual(['never']);
    expect(unread(userMessage('q'), answer([called('read_doc', 'error'), said]))).toEqual(['never']);
  });

  it('are not those that searched, read, remembered, wrote or cite', () => {
    for (const tool of ['search_notes', 'read_doc', 'list_docs', 'daily_note', 'ReadVar', 'edit_block'])
      expect([tool, unread(userMessage('q'), answer([called(tool), said]))]).toEqual([tool, [undefined]]);
    expect(unread(userMessage('q'), answer([said], { citations: ['b'] }))).toEqual([undefined]);
    expect(unread(userMessage('q'), answer([said], { undo: { blocks: 1, kind: 'exact', undone: false } }))).toEqual([undefined]);
    expect(unread(userMessage('q', { contexts: [context] }), answer([said]))).toEqual([undefined]);
  });

  it('are not pictures and speech, which are no claims', () => {
    for (const author of ['gpt-image-1', 'whisper-1', 'tts-1'])
      expect(unread(userMessage('q'), answer([said], { author }))).toEqual([undefined]);
  });

  it('say less once the chat knows notes: the answer may rest on those', () => {
    expect(
      unread(userMessage('q'), answer([said]), userMessage('q'), answer([called('read_doc'), said]), userMessage('q'), answer([said])),
    ).toEqual(['never', undefined, 'again']);
    expect(unread(userMessage('q', { contexts: [context] }), answer([said]), userMessage('shorter'), answer([said]))).toEqual([
      undefined,
      'again',
    ]);
  });

  it('are finished ones, while notes can be read at all', () => {
    for (const status of ['streaming', 'stopped', 'error', 'interrupted'] as const)
      expect(unread(userMessage('q'), answer([said], { status }))).toEqual([undefined]);
    expect(unreadAnswers([userMessage('q'), answer([said])], false).size).toBe(0);
    const group = (enabled: boolean, tool: string) => ({
      group: 'g',
      enabled,
      tools: [
        {
          name: tool,
          enabled: true,
          callable: enabled,
          policy: 'auto' as const,
          results: 'never' as const,
          acts: false,
          isSetUp: true,
          asked: ['never' as const],
        },
      ],
    });
    expect([
      canReadNotes([group(true, 'read_doc')]),
      canReadNotes([group(false, 'read_doc')]),
      canReadNotes([group(true, 'calculate')]),
    ]).toEqual([true, false, false]);
  });
});
