// A server of the same kind as the service that hands the model's stream on as it comes: what ratio 8 is compared with. Its first
// argument is the model's address.
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [, , model = ''] = process.argv;
const app = new Hono();
app.post('/', async (context) => {
  const body = await context.req.text();
  const answer = await fetch(`${model}/chat/completions`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return new Response(answer.body, { headers: { 'content-type': 'text/event-stream' } });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info: AddressInfo) => {
  console.log(`ready http://127.0.0.1:${info.port}`);
});
process.once('SIGTERM', () => server.close());
