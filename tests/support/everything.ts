// The protocol's own example server over streamable HTTP, as its package starts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

export const everythingProgram = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

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
