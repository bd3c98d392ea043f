// The protocol's own example server over streamable HTTP, as its package starts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

export const everythingProgram = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface EverythingServer {
  /** `http://localhost:PORT/mcp` */
  readonly url: string;
  close(): Promise<void>;
}

export async function startEverything(port?: number): Promise<EverythingServer> {
  const own = port ?? (await freePort());
  const child = spawn(process.execPath, [everythingProgram, 'streamableHttp'], { env: { ...process.env, PORT: String(own) } });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the example server ended with ${code}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        if (/listening on port/i.test(String(part))) resolve();
      });
  });
  return {
    url: `http://localhost:${own}/mcp`,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
