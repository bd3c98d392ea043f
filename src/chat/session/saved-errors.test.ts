import { describe, expect, it } from 'vitest';
import { restoreThread } from '../../features/chat-as-note/projection.ts';
import { answerPayload, callRecord, node, session } from '../testing/samples.ts';
import { readSession } from './saved-format.ts';
import type { Payload } from './types.ts';
import { hintLengthOf } from './visible-text.ts';

const STALE = { code: 'stale', message: 'the block changed', next: 'read it again' };
const EMPTY = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };

/** A session file whose one call failed with `error`, and whose chain did too. */
function fileWith(error: unknown, payloadError: unknown = STALE): string {
  const { result, ...record } = callRecord('c1');
  const chain = {
    toolCallHistory: [{ ...record, result: { ...result, status: 'error', error } }],
    rounds: [],
    stats: EMPTY,
    status: 'error',
    error,
  };
  const payload = { ...answerPayload('v', 'text'), toolChainResult: chain, error: payloadError };
  return JSON.stringify({
    ...session(),
    nodes: { n2: { ...node('n2', 'assistant', null, answerPayload('v', 'text')), versions: { v: payload } } },
  });
}

function readBack(source: string): Payload | undefined {
  const read = readSession(source);
  return read.kind === 'ok' ? read.session.nodes.n2?.versions.v : undefined;
}

describe('errors in saved chats', () => {
  it.each([
    ['an object', STALE, STALE],
    ['a code of a newer version', { code: 'brand_new', message: 'm', next: 'n' }, { code: 'other', message: 'm', next: 'n' }],
    ['nothing that can be read', 5, undefined],
    ['a sentence', 'It broke.', undefined],
  ])('are read as objects, from %s', (_name, saved, expected) => {
    const payload = readBack(fileWith(saved));
    expect(payload?.toolChainResult?.toolCallHistory[0]?.result.error).toEqual(expected);
    expect(payload?.toolChainResult?.error).toEqual(expected);
  });

  it('of an answer keep their words where a newer version saved the code', () => {
    const saved = { code: 'brand_new', message: 'm', next: 'n' };
    expect(readBack(fileWith(STALE, saved))?.error).toEqual({ ...saved, code: 'other' });
  });

  it('come back from the attributes of a document, too', () => {
    const entry = {
      callId: 'c',
      tool: 't',
      args: {},
      status: 'error',
      ms: 1,
      error: { ...STALE, code: 'brand_new' },
      start: 1,
      round: 1,
      more: { result: { preview: '' } },
    };
    const message = { ...answerPayload('v', 'text'), toolChainResult: { rounds: [], stats: EMPTY, status: 'completed' } };
    const thread = restoreThread(
      [
        {
          sessionId: 's',
          textHash: '',
          problems: [],
          nodeId: 'n',
          parentId: null,
          role: 'assistant',
          message: { ...message },
          chain: [entry],
          markdown: 'text',
        },
      ],
      'nb',
      { time: 1, device: 'd' },
    );
    expect(thread.nodes.n?.versions.v?.toolChainResult?.toolCallHistory[0]?.result.error).toEqual({ ...STALE, code: 'other' });
  });
});

describe('a slice of the hint', () => {
  it.each([
    [[3, 8], 3],
    [[8, 8], 8],
    [[3, 400], 3],
    [[9, 8], 0],
    [[5, 2], 0],
    [[-1, 8], 0],
    [[1.5, 8], 0],
    [undefined, 0],
  ] as const)('%j of "hint---x" marks %i characters', (userPromptSlice, length) => {
    const payload = answerPayload('v', 'hint---x', userPromptSlice === undefined ? {} : { userPromptSlice });
    expect(hintLengthOf(payload)).toBe(length);
  });
});
