import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage, MAX_PACKED_VARIABLES, pack, packVariables, unpack } from './attributes.ts';

describe('pack', () => {
  it('comes back the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const packed = await pack(value);
        expect(packed).toMatch(/^[\w-]*$/);
        expect(await unpack(packed)).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
      { numRuns: 60 },
    );
  });

  it.each(['', 'not base64 !!', 'AAAA', 'eyJhIjoxfQ'])('says why %j cannot be read', async (text) => {
    expect(await unpack(text)).toMatchObject({ ok: false });
  });

  it('refuses a bomb', async () => {
    const bomb = await pack('0'.repeat(20 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await unpack(bomb)).toEqual({ ok: false, reason: 'it unpacks to more than 16 MiB' });
  });
});

/** Text that does not compress. */
const random = (length: number, seed: number): string => {
  let state = seed;
  return Array.from({ length }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return String.fromCharCode(33 + ((state >>> 8) % 90));
  }).join('');
};

describe('messages in attributes', () => {
  it('leaves out the largest variables first and keeps every name', async () => {
    const variables = [1, 2, 3].map((seed) => ({ name: `v${seed}`, type: 'ToolCallResult', value: random(seed * 6000, seed), created: 1 }));
    const { packed, omitted } = await packVariables(variables);
    expect(packed.length).toBeLessThanOrEqual(MAX_PACKED_VARIABLES);
    expect(omitted[0]).toBe('v3');
    const back = await unpack(packed);
    expect(back.ok && Array.isArray(back.value) ? back.value.map((each: { name: string }) => each.name) : []).toEqual(['v1', 'v2', 'v3']);
  });

  it('comes back as it was, and names what cannot be read', async () => {
    const message = {
      nodeId: 'n1',
      parentId: 'n0',
      role: 'assistant' as const,
      markdown: 'text',
      chain: [{ callId: 'c', tool: 't', status: 'success' }],
      vars: [{ name: 'a/b', type: 'LLMAdd', value: 'x' }],
      message: { content: 'raw', author: 'model' },
    };
    const { attributes } = await encodeMessage('s1', message, 'abc');
    const { markdown: _markdown, ...rest } = message;
    expect(await decodeMessage(attributes)).toEqual({ ...rest, sessionId: 's1', textHash: 'abc', problems: [] });
    const broken = await decodeMessage({ ...attributes, 'custom-marginalia-chain': 'rubbish', 'custom-marginalia-vars': 'x' });
    expect(broken?.problems).toEqual(['custom-marginalia-chain', 'custom-marginalia-vars']);
    expect(await decodeMessage({ 'custom-marginalia-node': 'n', 'custom-marginalia-role': 'king' })).toBeNull();
  });
});
