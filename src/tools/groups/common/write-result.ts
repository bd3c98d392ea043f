import { type ApprovedPlan, NEW_NOTES_ONLY, type PlanOperation } from '../../contract/plans.ts';
import type { WriteReport } from '../../contract/ports.ts';
import type { ToolExecuteResult, WrittenBlocks } from '../../contract/types.ts';
import { preview } from '../../util/graphemes.ts';
import { changeWords, subjectWords } from '../../util/place-words.ts';

const inOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

const MOST_PLACES = 30;
const MOST_WORDS = 5;

function leftOutOf({ plan, accepted }: ApprovedPlan): readonly { readonly operation: PlanOperation; readonly place: number }[] {
  return plan.operations.flatMap((operation, index) => (accepted.has(operation.id) ? [] : [{ operation, place: index + 1 }]));
}

/** By position, not as text, which may show the person what is hidden from the model. */
function leftOut(approved: ApprovedPlan): string {
  const left = leftOutOf(approved);
  if (left.length === 0) return '';
  // A block that was to be created has an id too, but it does not exist.
  const named = ({ before, blockId, blockType }: PlanOperation): string => (before === null || blockId === '' ? blockType : blockId);
  const places = left.map(({ operation, place }) => `${place} (${operation.action} ${named(operation)})`);
  const more = left.length > MOST_PLACES ? ', …' : '';
  const which = `${places.slice(0, MOST_PLACES).join(', ')}${more}`;
  return `; the user left out ${left.length} of ${approved.plan.operations.length} changes: ${which}`;
}

function leftOutWords(approved: ApprovedPlan): Pick<WrittenBlocks, 'leftOut' | 'planned' | 'leftOutWords'> {
  const left = leftOutOf(approved);
  if (left.length === 0) return {};
  const words = left.slice(0, MOST_WORDS).map(({ operation }) => preview(inOneLine(subjectWords(operation)), 60));
  return { leftOut: left.length, planned: approved.plan.operations.length, leftOutWords: words.filter((each) => each !== '') };
}

function finish(approved: ApprovedPlan, report: WriteReport, lines: readonly string[], citable: readonly string[]): ToolExecuteResult {
  const { plan } = approved;
  const forModel = plan.notices.filter(({ personOnly }) => personOnly !== true);
  const notes = forModel.map(({ code, count }) => `note: ${code} (${count})`);
  return {
    status: 'success',
    data: [...lines, ...notes, `undo: ${report.undo}`].join('\n'),
    notebooks: [plan.notebook.id],
    blockIds: [...new Set(citable)].filter((id) => id !== ''),
    written: writtenBlocks(approved, report),
  };
}

export function writtenBlocks(approved: ApprovedPlan, { blockIds, documentId, undo }: WriteReport): WrittenBlocks {
  const { title } = approved.plan.document;
  return { blockIds, documentId, title, undoable: undo !== 'none', ...leftOutWords(approved) };
}

/** One line about the write, the ids with their new hashes, and what Undo restores. Of a note that may not be read its id alone, and nothing to cite. */
export function writeResult(did: string, approved: ApprovedPlan, report: WriteReport, more: readonly string[] = []): ToolExecuteResult {
  const first = `${did} [${report.documentId}] in ${approved.plan.notebook.name}${leftOut(approved)}`;
  if (approved.plan.notices.some(({ code }) => code === NEW_NOTES_ONLY)) {
    const unseen = 'new notes only: neither this notebook nor this note can be read';
    return { ...finish(approved, report, [first, unseen], []), notebooks: [] };
  }
  const blocks = report.blockIds.map((id) => (report.hashes[id] === undefined ? id : `${id}#${report.hashes[id]}`));
  const lines = [first, `blocks: ${blocks.join(', ') || 'none'}`, ...more];
  return finish(approved, report, lines, [report.documentId, ...report.blockIds]);
}

const oneLine = (text: string): string => preview(inOneLine(text), 200);

/** `before → after` of one operation; a deletion has no after, an insertion no before. */
function operationLine(operation: PlanOperation): string {
  const { blockId, before, after } = operation;
  const id = blockId === '' ? '' : ` [${blockId}]`;
  const structured = changeWords(operation);
  if (structured !== undefined) return `-${id} ${oneLine(structured)}`;
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
  // Ids that were created with the write: a notebook, a copy.
  const named = new Set(accepted.map(({ blockId }) => blockId));
  const made = report.blockIds.filter((id) => !named.has(id));
  const news = options.gone === true || made.length === 0 ? [] : [`new: ${made.join(', ')}`];
  const lines = [`${did}${leftOut(approved)}`, ...accepted.map(operationLine), ...news];
  return finish(approved, report, lines, options.gone === true ? [] : report.blockIds);
}
