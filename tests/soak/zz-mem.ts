import { startRunningService } from '/work/main/tests/soak/running-service.ts';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
const piece = (choice: object): string => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`;
const server = createServer(async (q, r) => { if (q.method !== 'POST') { r.writeHead(404).end(); return; } await text(q); r.writeHead(200, { 'content-type': 'text/event-stream' }); r.end(`${piece({ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' })}data: [DONE]\n\n`); });
server.listen(0, '127.0.0.1'); await new Promise((r) => server.once('listening', r));
const s: any = await startRunningService(`http://127.0.0.1:${(server.address() as any).port}/v1`);
const { readFileSync } = await import('node:fs');
console.log(Object.keys(s));
const rss = () => { try { return readFileSync(`/proc/${s.pid ?? s.child?.pid ?? s.process?.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1]; } catch (e) { return String(e); } };
for (let i = 0; i <= 1600; i++) { const a = await fetch(`${s.url}/api/chat/send`, { method: 'POST', headers: { 'content-type': 'application/json', ...s.headers }, body: JSON.stringify({ session_id: `mem-${i}`, message: 'Go.' }) }); await a.text(); if (i % 200 === 0) console.log(i, JSON.stringify(await s.memory())); }
await s.close(); process.exit(0);
