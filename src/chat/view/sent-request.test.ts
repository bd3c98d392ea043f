import { describe, expect, it } from 'vitest';
import { readSentRequest } from './sent-request.ts';

describe('the body of a request, taken apart', () => {
  it('has every message, call, picture and definition, the options, and what each is in tokens', () => {
    const call = { id: 'c', type: 'function', function: { name: 'read_doc', arguments: '{"id":"x"}' } };
    const definition = { type: 'function', function: { name: 'read_doc', description: 'Reads.', parameters: { type: 'object' } } };
    const body = {
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'found' },
      ],
      tools: [definition],
    };
    const { model, options, parts, tokens } = readSentRequest(JSON.stringify(body));
    expect([model, JSON.parse(options)]).toEqual(['m', { stream: true }]);
    expect(parts.map(({ kind, name, text }) => [kind, name, text])).toEqual([
      ['system', '', 'Be brief.'],
      ['user', '', 'Look\n[image_url]'],
      ['assistant', '', 'read_doc({"id":"x"})'],
      ['tool', '', 'found'],
      ['definition', 'read_doc', 'Reads.\n{"type":"object"}'],
    ]);
    expect(parts[1]?.tokens).toBeGreaterThan(1600);
    expect(parts[1]?.tokens).toBeLessThan(1700);
    expect(tokens).toBe(parts.reduce((sum, part) => sum + part.tokens, 0));
  });
});
