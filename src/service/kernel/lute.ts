import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { createMarkdownEngine, type LuteFactory, type MarkdownEngine } from '../../host/blocks/markdown-engine.ts';

const require = createRequire(import.meta.url);

const isFactory = (value: unknown): value is LuteFactory =>
  typeof value === 'object' && value !== null && 'New' in value && typeof value.New === 'function';

/** Next to the built service; in the source tree, the package that it is copied from. */
function luteFile(): string {
  const beside = fileURLToPath(new URL('lute.min.js', import.meta.url));
  return existsSync(beside) ? beside : require.resolve('vditor/dist/js/lute/lute.min.js');
}

/** SiYuan's Markdown engine, the global `Lute` of its page. Loaded once per process. */
export function openMarkdownEngine(): MarkdownEngine {
  if (!isFactory(Reflect.get(globalThis, 'Lute'))) {
    // GopherJS looks for Node's modules through a global `require`.
    Object.assign(globalThis, { require });
    runInThisContext(readFileSync(luteFile(), 'utf8'));
    Reflect.deleteProperty(globalThis, 'require');
  }
  const factory: unknown = Reflect.get(globalThis, 'Lute');
  if (!isFactory(factory)) throw new Error('lute.min.js has another shape: build the service again');
  return createMarkdownEngine(factory);
}
