import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Just enough of RFC 6455 for the kernel's sockets: whole texts out and in, pings answered. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODES = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const;
const MAX_FRAME = 16 * 1024 * 1024;

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : length < 65536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly size: number;
}

/** The first whole frame of a buffer; undefined when more bytes are needed, null when the peer breaks the rules. */
function readFrame(buffer: Buffer): Frame | undefined | null {
  if (buffer.length < 2) return undefined;
  const [first = 0, second = 0] = buffer;
  if ((second & 0x80) === 0) return null;
  let length = second & 0x7f;
  let at = 2;
  if (length === 126) {
    if (buffer.length < 4) return undefined;
    length = buffer.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (buffer.length < 10) return undefined;
    length = Number(buffer.readBigUInt64BE(2));
    at = 10;
  }
  if (length > MAX_FRAME) return null;
  const size = at + 4 + length;
  if (buffer.length < size) return undefined;
  const mask = buffer.subarray(at, at + 4);
  const payload = Buffer.from(buffer.subarray(at + 4, size).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
  return { opcode: first & 0x0f, payload, size };
}

export interface SocketConnection {
  send(text: string): void;
  close(): void;
}

/** Answers the upgrade. `closed` is called once, however the connection ends. Undefined when the request is no WebSocket one. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { closed, said }: { readonly closed: () => void; readonly said?: (text: string) => void },
): SocketConnection | undefined {
  const key = request.headers['sec-websocket-key'];
  if (key === undefined || request.headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  let pending = head;
  const take = (): void => {
    for (;;) {
      const next = readFrame(pending);
      if (next === undefined) return;
      if (next === null || next.opcode === OPCODES.close) {
        socket.end(frame(OPCODES.close, Buffer.alloc(0)));
        return;
      }
      pending = pending.subarray(next.size);
      if (next.opcode === OPCODES.text) said?.(next.payload.toString('utf8'));
      if (next.opcode === OPCODES.ping) socket.write(frame(OPCODES.pong, next.payload));
    }
  };
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    take();
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', closed);
  take();
  return {
    send: (text) => {
      if (socket.writable) socket.write(frame(OPCODES.text, Buffer.from(text, 'utf8')));
    },
    close: () => socket.end(frame(OPCODES.close, Buffer.alloc(0))),
  };
}
