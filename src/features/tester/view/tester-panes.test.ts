import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../../protocol/protocols.ts';
import type { ToolChainEvent, ToolChainEventBody } from '../../../tools/contract/events.ts';
import { eventsText, filterEvents, type LoggedEvent, MAX_LINES, sourcePieces, systemParts, withEvent } from './tester-panes.ts';

describe('the source of requests', () => {
  it.each(PROTOCOLS)('$id: its pieces add up to the whole text, with name, arguments and values marked', (protocol) => {
    const write = (args: Record<string, unknown>): string => protocol.formatToolRequest({ toolName: 'edit_block', args });
    const text = `Before edit_block.\n\n${write({ id: 'a1', markdown: 'two\nlines' })}\n\nBetween.\n${write({ id: 'id' })}\n\nAfter.`;
    const pieces = sourcePieces(text, protocol.parseToolRequests(text));
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    const of = (kind: string): string[] => pieces.filter((piece) => piece.kind === kind).map((piece) => piece.text.replace(/^"|"$/g, ''));
    expect(of('name')).toEqual(['edit_block', 'edit_block']);
    expect(of('key')).toEqual(['id', 'markdown', 'id']);
    expect(of('value').map((value) => value.replace('\\n', '\n'))).toEqual(['a1', 'two\nlines', 'id']);
    expect(of('text').join('')).toContain('Before edit_block.');
    expect(sourcePieces('nothing', [])).toEqual([{ kind: 'text', text: 'nothing' }]);
  });
});

describe('the log of events', () => {
  const event = (body: ToolChainEventBody, seq = 1): ToolChainEvent => ({ seq, time: 0, sessionId: 's', turnId: 't', ...body });
  const logOf = (...bodies: ToolChainEventBody[]): readonly LoggedEvent[] =>
    bodies.reduce<readonly LoggedEvent[]>((log, body) => withEvent(log, event(body)), []);

  it('has one line for streamed text, names the tool at the end of a call, and filters', () => {
    const log = logOf(
      ...[{ type: 'turn-start' } as const, { type: 'text-delta', text: 'Hel' } as const, { type: 'text-delta', text: 'lo' } as const],
      { type: 'tool-start', callId: 'c', tool: 'read_doc', arguments: {} },
      { type: 'tool-end', callId: 'c', status: 'error', durationMs: 3, preview: '' },
    );
    expect(log.map(({ type, tool, count }) => [type, tool, count])).toEqual([
      ...[['turn-start', '', 1] as const, ['text-delta', '', 2] as const, ['tool-start', 'read_doc', 1] as const],
      ['tool-end', 'read_doc', 1],
    ]);
    expect(log[1]?.details).toBe('Hello');
    expect(filterEvents(log, 'errors', '').map(({ type }) => type)).toEqual(['tool-end']);
    expect(filterEvents(log, 'all', 'HELLO').map(({ type }) => type)).toEqual(['text-delta']);
    expect(eventsText(log.slice(1, 2))).toMatch(/^\d\d:\d\d:\d\d\.000 text-delta ×2 Hello$/);
  });

  it('stays small, however much comes', () => {
    let log: readonly LoggedEvent[] = [];
    for (let round = 0; round < MAX_LINES + 50; round++) log = withEvent(log, event({ type: 'round-start', round }));
    for (let n = 0; n < 50; n++) log = withEvent(log, event({ type: 'text-delta', text: 'x'.repeat(1000) }));
    expect(log).toHaveLength(MAX_LINES);
    expect(log.at(-1)?.details.length).toBeLessThan(5000);
    expect(new Set(log.map(({ number }) => number)).size).toBe(MAX_LINES);
  });
});

describe('the system prompt', () => {
  it('shows the tool rules separately, and is shown whole if it has none', () => {
    const parts = systemParts('Today.\n\n- Rule.\n\n## Citations', '- Rule.\n');
    expect(parts.map(({ key, text }) => [key, text])).toEqual([
      ['tester.prompt.system', 'Today.'],
      ['tester.prompt.rules', '- Rule.'],
      ['tester.prompt.rest', '## Citations'],
    ]);
    expect(systemParts('Today.', 'other').map(({ text }) => text)).toEqual(['Today.']);
  });
});
