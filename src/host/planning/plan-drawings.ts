import type { Change, PlanOperation } from '../../tools/contract/plans.ts';
import type { ReadableBlocks } from '../access/readable-blocks.ts';
import { blockHtml } from '../blocks/block-html.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { createBlockViewer } from '../reading/block-view.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';

/** The block DOM before and after an operation. */
function sidesOf({ action }: PlanOperation, { dom, before }: PreparedOperation): Change<string> {
  if (action === 'delete') return { before: before?.dom ?? null, after: null };
  return { before: before?.dom ?? null, after: dom };
}

/**
 * Operations with previews of their blocks, rendered from the current DOM and from the DOM that will be sent: the only renderer for all
 * tools. Previews, like the texts of a plan, contain neither guarded blocks nor words of hidden blocks in references.
 */
export async function withDrawings(
  deps: { readonly engine: MarkdownEngine; readonly access: ReadableBlocks },
  shown: readonly PlanOperation[],
  prepared: readonly PreparedOperation[],
  signal: AbortSignal,
): Promise<readonly PlanOperation[]> {
  const preparedById = new Map(prepared.map((each) => [each.id, each]));
  const sides = shown.map((operation) => {
    const change = preparedById.get(operation.id);
    return change ? sidesOf(operation, change) : { before: null, after: null };
  });
  const doms = [...new Set(sides.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()))];
  const views = await createBlockViewer({ engine: deps.engine, readable: deps.access }).view(doms, signal);
  const drawings = new Map(doms.map((dom, index) => [dom, views[index] && blockHtml(views[index].element, deps.engine)]));
  return shown.map((operation, index) => {
    const { before = null, after = null } = sides[index] ?? {};
    const [old, fresh] = [before, after].map((dom) => (dom === null ? null : drawings.get(dom)));
    if (old === undefined || fresh === undefined || (old === null && fresh === null)) return operation;
    return { ...operation, drawn: { before: old, after: fresh } };
  });
}
