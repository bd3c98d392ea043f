import type { MessageView } from '../../chat/view/view.ts';
import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { ProgressCount } from '../../tools/contract/types.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { joinSentences } from './format.ts';
import { withoutRawIds } from './readable-result.ts';

/** The result of an Undo: undone, in part, or left unchanged by the user's choice, past or pending. */
export function undoneLabel({ undo, undoReport }: Pick<MessageView, 'undo' | 'undoReport'>): MessageKey {
  const report = undoReport ?? undo?.report;
  const open = report?.conflicts.length ?? 0;
  const kept = undo?.kept ?? 0;
  if (open === 0 && kept === 0) return 'undo.done';
  const restored = report ? report.restored.length : Math.max(0, (undo?.blocks ?? 0) - kept);
  if (restored > 0) return 'undo.doneInPart';
  return open > 0 ? 'undo.open' : 'undo.kept';
}

/** The same, for screen readers; undefined where nothing was done. */
export function saidOfUndo(message: Pick<MessageView, 'undo' | 'undoReport'>): MessageKey | undefined {
  if (message.undo?.undone) return undoneLabel(message) === 'undo.done' ? 'said.undone' : 'said.undoneInPart';
  return message.undoReport?.conflicts.length ? 'said.notUndone' : undefined;
}

/** The text of a running Undo or Redo, with its position if there are several. */
export function undoingLabel(which: 'undo' | 'redo', count: ProgressCount | undefined, t: Translate): string {
  if (!count || count.total < 2) return t(which === 'undo' ? 'suggestion.undoing' : 'suggestion.redoing');
  return t(which === 'undo' ? 'undo.counted' : 'redo.counted', { n: Math.min(count.done + 1, count.total), total: count.total });
}

/** Why something was left alone, or differs from before. */
export function reasonsLabel({ reasons }: Pick<UndoConflict, 'reasons'>, t: Translate, titleOf?: (id: string) => string): string {
  const words = joinSentences(reasons.map(({ code, title = '', detail = '' }) => t(`why.${code}`, { title, detail })));
  return withoutRawIds(words, t, titleOf);
}
