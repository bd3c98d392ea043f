import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

export type Handler = (body: Record<string, unknown>, response: ServerResponse, request: IncomingMessage) => void;

export const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

export async function serve(handler: Handler): Promise<{ baseURL: string; bodies: Record<string, unknown>[] }> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      bodies.push(body);
      handler(body, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies };
}

export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
export const delta = (fields: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
export const sse = (response: ServerResponse, ...parts: string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) response.write(part);
};
export const DONE = 'data: [DONE]\n\n';
