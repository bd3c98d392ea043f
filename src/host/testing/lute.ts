import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { createMarkdownEngine, type LuteFactory, type MarkdownEngine } from '../blocks/markdown-engine.ts';

declare global {
  var Lute: LuteFactory | undefined;
}

let engine: MarkdownEngine | undefined;

/** SiYuan's Markdown engine for tests: the real Lute, as shipped by vditor. Loaded once per process. */
export function testEngine(): MarkdownEngine {
  if (engine) return engine;
  if (!globalThis.Lute) {
    const require = createRequire(import.meta.url);
    // GopherJS reads Node's modules through a global `require` only at startup. Other test files must not find it.
    const before: unknown = Reflect.get(globalThis, 'require');
    Object.assign(globalThis, { require });
    runInThisContext(readFileSync(require.resolve('vditor/dist/js/lute/lute.min.js'), 'utf8'));
    if (before === undefined) Reflect.deleteProperty(globalThis, 'require');
  }
  const factory = globalThis.Lute;
  if (!factory) throw new Error('vditor no longer ships Lute');
  engine = createMarkdownEngine(factory);
  return engine;
}
