import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { EventLog } from '../chats/event-log.ts';
import { ToolFeed } from '../chats/tool-feed.ts';
import { ToolEvents } from './tool-events.ts';

const SIZE = 500_000;

/** A client that never reads: what it is sent fills the buffers of the system, then waits in the service. */
async function stalledClient(port: number) {
  const socket = connect(port, '127.0.0.1');
  const lines = ['GET /ws/tool-events HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Authorization: Bearer t'];
  socket.write([...lines, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==', '', ''].join('\r\n'));
  await once(socket, 'readable');
  expect(String(socket.read())).toContain('101 Switching Protocols');
  socket.pause();
  return socket;
}

it('a client that stops reading is closed with a code that says so, and holds up nobody else', async () => {
  const feed = new ToolFeed();
  const log = new EventLog();
  feed.follow('s', log);
  const server = createServer();
  const events = new ToolEvents({ feed, token: 't', hosts: [], origins: [], maxWaiting: 2 * SIZE });
  events.listen(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const stalled = await stalledClient(port);
  const reading = new WebSocket(`ws://127.0.0.1:${port}/ws/tool-events`, { headers: { Authorization: 'Bearer t' } });
  let heard = 0;
  reading.on('message', () => {
    heard += 1;
  });
  await once(reading, 'open');
  for (let index = 1; index <= 30; index++) {
    log.append('message', { content: 'for those who listen to the chat' });
    log.append('tool_start', { id: `${index}`, tool: 'some', arguments: { text: 'x'.repeat(SIZE) } });
    await expect.poll(() => heard, { interval: 5 }).toBe(index);
  }
  let received = Buffer.alloc(0);
  stalled.on('data', (part) => {
    received = Buffer.concat([received, part]).subarray(-4096);
  });
  stalled.resume();
  await expect.poll(() => received.includes('too slow'), { timeout: 5000 }).toBe(true);
  // A close frame: its opcode, its length, then the code.
  const at = received.indexOf('too slow');
  expect([received[at - 4], received.readUInt16BE(at - 2)]).toEqual([0x88, 4008]);
  stalled.destroy();
  reading.terminate();
  events.close();
  server.close();
});
