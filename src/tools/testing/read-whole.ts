import type { ToolExecutor } from '../executor/executor.ts';
import { callOptions } from './support.ts';

const NEXT = /\nnext: ReadVar [^\n]*?start=(\d+)[^\n]* \(of \d+ characters\)$/u;

/** Reads a variable with ReadVar, page by page as its `next:` lines say. `length`: characters per page. Throws if a page fails. */
export async function readWhole(executor: ToolExecutor, name: string, length?: number): Promise<string> {
  const pages: string[] = [];
  for (let start: number | undefined = 0; start !== undefined; ) {
    const args = { name, start, length };
    const result = await executor.execute('ReadVar', args, callOptions('read-whole'));
    if (result.status !== 'success') throw new Error(`page at ${start} of ${name}: ${result.finalText}`);
    const page = String(result.data);
    const next: RegExpExecArray | null = NEXT.exec(page);
    pages.push(next === null ? page : page.slice(0, next.index));
    start = next === null ? undefined : Number(next[1]);
  }
  return pages.join('');
}
