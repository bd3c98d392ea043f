import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../http/answers.ts';
import { EventLog } from './event-log.ts';
import { approvalView, TurnEvents } from './turn-events.ts';

function open() {
  const log = new EventLog();
  const same = (id: string): string => id;
  const events = new TurnEvents({
    log,
    sessionId: 's',
    questionId: () => 'q',
    value: () => undefined,
    openApproval: same,
    closeApproval: same,
  });
  const write = (time: number, index = 0): void =>
    events.take({ type: 'tool-writing', index, tool: 't', arguments: { text: `${time}` }, seq: 0, time, sessionId: 's', turnId: 'u' });
  const told = () =>
    Array.from({ length: log.end }, (_, place) => log.at(place)).map((event) =>
      typeof event === 'string' ? event : JSON.parse(JSON.stringify(event.data)),
    );
  return { events, write, told };
}

describe('a call that is being written', () => {
  it('is reported once it takes longer than a second, at most twice a second', () => {
    const { events, write, told } = open();
    for (let time = 1000; time < 3000; time += 100) write(time);
    expect(told().map(({ timestamp }) => timestamp)).toEqual([2, 2.5]);
    expect(told()[0]).toEqual({ index: 0, tool: 't', arguments: { text: '2000' }, timestamp: 2 });
    expect(v.parse(v.strictObject(EVENTS.tool_writing.entries), told()[0])).toEqual(told()[0]);
    events.take({ type: 'tool-writing-end', seq: 0, time: 3000, sessionId: 's', turnId: 'u' });
    for (let time = 3000; time < 4000; time += 100) write(time);
    expect(told()).toHaveLength(2);
    write(4000);
    expect(told()).toHaveLength(3);
  });
});

describe('an approval for other programs', () => {
  it('has the operations of its plan without the drawings that the panel shows', () => {
    const operation = { id: '1', action: 'insert', blockId: '', blockType: 'p', before: null, after: 'x', requires: [] } as const;
    const plan = {
      ...{ id: 'p', tool: 'insert_blocks', notebook: { id: 'n', name: 'N' }, document: { id: 'd', title: 'D', path: '/D' } },
      operations: [{ ...operation, drawn: { before: null, after: '<p>x</p>' }, drawnAt: { row: 'r', column: 0 } }],
      ...{ anchorId: null, undo: { kind: 'exact' as const }, notices: [] },
    } as const;
    const request = { approvalId: 'a', callId: 'c', kind: 'execution', tool: 'insert_blocks', args: {}, plan } as const;
    expect(approvalView('x', 's', request)).toMatchObject({ plan: { operations: [operation] } });
    expect(JSON.stringify(approvalView('x', 's', request))).not.toContain('drawn');
  });
});
