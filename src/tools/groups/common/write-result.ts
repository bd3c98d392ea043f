import type { ApprovedPlan, PlanOperation } from '../../contract/plans.ts';
import type { WriteReport } from '../../contract/ports.ts';
import type { ToolExecuteResult, WrittenBlocks } from '../../contract/types.ts';
import { preview } from '../../util/graphemes.ts';

const leftOutCount = ({ plan, accepted }: ApprovedPlan): number => plan.operations.length - accepted.size;

function leftOut(approved: ApprovedPlan): string {
  const { plan } = approved;
  const count = leftOutCount(approved);
  return count > 0 ? `; the user left out ${count} of ${plan.operations.length} changes` : '';
}

function finish(approved: ApprovedPlan, report: WriteReport, lines: readonly string[], citable: readonly string[]): ToolExecuteResult {
  const { plan } = approved;
  const told = plan.notices.filter(({ personOnly }) => personOnly !== true);
  const notes = told.map(({ code, count }) => `note: ${code} (${count})`);
  return {
    status: 'success',
    data: [...lines, ...notes, `undo: ${report.undo}`].join('\n'),
    notebooks: [plan.notebook.id],
    blockIds: [...new Set(citable)].filter((id) => id !== ''),
    written: writtenBlocks(approved, report),
  };
}

export function writtenBlocks(approved: ApprovedPlan, { blockIds, documentId, undo }: WriteReport): WrittenBlocks {
  const count = leftOutCount(approved);
  const { title } = approved.plan.document;
  return { blockIds, documentId, title, undoable: undo !== 'none', ...(count > 0 ? { leftOut: count } : {}) };
}

/** One line of what was done, the ids with their new hashes, and what Undo brings back. */
export function writeResult(did: string, approved: ApprovedPlan, report: WriteReport, more: readonly string[] = []): ToolExecuteResult {
  const blocks = report.blockIds.map((id) => (report.hashes[id] === undefined ? id : `${id}#${report.hashes[id]}`));
  const lines = [
    `${did} [${report.documentId}] in ${approved.plan.notebook.name}${leftOut(approved)}`,
    `blocks: ${blocks.join(', ') || 'none'}`,
    ...more,
  ];
  return finish(approved, report, lines, [report.documentId, ...report.blockIds]);
}

const oneLine = (text: string): string => preview(text.replaceAll(/\s+/gu, ' ').trim(), 200);

/** `before → after` of one operation; what goes has no after, what comes no before. */
function operationLine({ blockId, before, after, from, to }: PlanOperation): string {
  const id = blockId === '' ? '' : ` [${blockId}]`;
  if (from !== undefined && to !== undefined) return `-${id} ${from} → ${to}`;
  if (before !== null && after !== null) return `-${id} ${oneLine(before)} → ${oneLine(after)}`;
  return `-${id} ${oneLine(before ?? after ?? '')}`;
}

/** Every accepted change as one line. `gone`: what the changes name can no longer be cited. */
export function changesResult(
  did: string,
  approved: ApprovedPlan,
  report: WriteReport,
  options: { readonly gone?: boolean } = {},
): ToolExecuteResult {
  const accepted = approved.plan.operations.filter(({ id }) => approved.accepted.has(id));
  // What got its id only by being made: a notebook, a copy.
  const named = new Set(accepted.map(({ blockId }) => blockId));
  const made = report.blockIds.filter((id) => !named.has(id));
  const news = options.gone === true || made.length === 0 ? [] : [`new: ${made.join(', ')}`];
  const lines = [`${did}${leftOut(approved)}`, ...accepted.map(operationLine), ...news];
  return finish(approved, report, lines, options.gone === true ? [] : report.blockIds);
}
