import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../chats/event-log.ts';
import { writeEvents } from './event-stream.ts';

/** A client that takes what it gets when it is read. */
function client(log: EventLog, from: number, highWaterMark = 16_384): PassThrough {
  const stream = new PassThrough({ highWaterMark });
  writeEvents(stream, log, from);
  return stream;
}

describe('a stream of events', () => {
  it('begins at its place, goes on as events come, and ends with the turn', async () => {
    const log = new EventLog();
    log.append('start', { n: 0 });
    log.append('message', { n: 1 });
    const text = textOf(client(log, 1));
    log.append('message', { n: 2 });
    log.append('done', { n: 3 });
    log.append('start', { n: 4 });
    const ids = [1, 2, 3].map((place) => (log.at(place) as { id: string }).id);
    expect((await text).match(/^(id|event|data): .*$/gm)).toEqual([
      ...[`id: ${ids[0]}`, 'event: message', 'data: {"n":1}', `id: ${ids[1]}`, 'event: message', 'data: {"n":2}'],
      ...[`id: ${ids[2]}`, 'event: done', 'data: {"n":3}'],
    ]);
  });

  it('tells a client that fell behind what is kept to come back', async () => {
    const log = new EventLog({ events: 10, size: 1000 });
    log.append('start', {});
    const stream = client(log, 0, 1);
    for (let n = 0; n < 100; n += 1) log.append('message', { n });
    const text = await textOf(stream);
    expect(text).toContain('event: reconnect');
    expect(text).not.toContain('{"n":99}');
  });

  it('reads no further than its client: what waits is in the log, once for all', async () => {
    const log = new EventLog();
    log.append('start', {});
    let left = 0;
    const stream = new PassThrough();
    writeEvents(stream, log, 0, () => (left += 1));
    for (let n = 0; n < 10_000; n += 1) log.append('message', { text: 'x'.repeat(100) });
    const waiting = stream.readableLength + stream.writableLength;
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(200_000);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    log.append('message', {});
    expect(left).toBe(1);
  });
});

describe('a log of events', () => {
  it('keeps no more than it may, by number and by size', () => {
    const few = new EventLog({ events: 3, size: 1000 });
    const short = new EventLog({ events: 1000, size: 50 });
    for (const log of [few, short]) for (let n = 0; n < 20; n += 1) log.append('message', { text: `${n}`.padStart(10) });
    expect([few.at(16), short.at(16)]).toEqual(['gone', 'gone']);
    expect([few.at(19), short.at(19)]).toMatchObject([{ type: 'message' }, { type: 'message' }]);
    expect(few.at(20)).toBe('none');
  });

  it('knows its own events by their ids, and no others', () => {
    const log = new EventLog({ events: 2, size: 1000 });
    for (let n = 0; n < 5; n += 1) log.append('message', { n });
    const id = (place: number) => `${(log.at(4) as { id: string }).id.split('-')[0]}-${place}`;
    expect([3, 4, 2, 1, 5].map((place) => log.placeAfter(id(place)))).toEqual([4, 5, 3, null, null]);
    for (const foreign of ['', 'x', '4', '-4', `${id(4)}x`, 'ffffffff-4', id(1e20)]) expect(log.placeAfter(foreign)).toBeNull();
  });
});
