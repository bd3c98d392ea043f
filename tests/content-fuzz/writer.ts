import { blockDOM, nodesOfDom } from '../../devhost/kernel/tree/render.ts';
import { refusalOf } from '../../src/host/content/active-content.ts';
import { createContentFilter } from '../../src/host/content/content-filter.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { ToolError } from '../../src/tools/contract/errors.ts';

/** Block DOM as it is in the note after a write; undefined when nothing was written, or it was undone. */
export type Writer = (markdown: string) => Promise<readonly string[] | undefined>;

const engine = testEngine();

/** What the kernel makes of block DOM: it reads it, keeps it in a file, and draws it again. */
function stored(dom: string): string {
  return nodesOfDom(dom)
    .map((node) => blockDOM(JSON.parse(JSON.stringify(node))))
    .join('');
}

/** What the note held before: in a new one every finding counts. */
const NOTHING: ReadonlySet<string> = new Set();
const KNOWN = '20200101000000-aaaaaaa';

/**
 * As tools write: the filter before, the judge of what the kernel stored behind. Formulas are not tried with KaTeX before: the rules must hold
 * where it is not there. Errors that are no refusal are passed on.
 */
export function guardedWriter(): Writer {
  const filter = createContentFilter({ engine, clock: { now: () => Date.now(), today: () => '2026-01-01' }, random: Math.random });
  return async (markdown) => {
    try {
      const { blocks } = await filter.filter({ markdown, knownReferences: async (ids) => new Set(ids.filter((id) => id === KNOWN)) });
      const doms = blocks.map(stored);
      return doms.some((dom) => refusalOf(dom, NOTHING)) ? undefined : doms;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };
}

/** As it would be without any guard: the proof that the page reports what runs and what is fetched. */
export const unguardedWriter: Writer = async (markdown) => {
  try {
    return [stored(engine.toDom(markdown))];
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
};
