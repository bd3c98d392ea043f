import type { ActivityRecord } from '../../../chat/activity/activity.ts';
import { documentsOf } from '../../../chat/activity/activity-lines.ts';
import type { ToolCallView } from '../../../chat/view/view.ts';
import type { IconName } from '../../../ui/controls/icons.ts';
import { noteRead, workKind } from '../../../ui/labels/tool-labels.ts';
import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';

export function callOf(record: ActivityRecord): ToolCallView {
  const { callId, toolName, arguments: args, status, durationMs, result, error, timestamp, written } = record;
  return {
    callId,
    tool: toolName,
    args,
    status,
    started: timestamp,
    durationMs: durationMs ?? undefined,
    preview: result ?? undefined,
    error: error ?? undefined,
    wrote: written ? { documentId: written.documentId, title: written.title ?? '', blockIds: written.blockIds } : undefined,
  };
}

const EFFECTS: Readonly<Record<ActivityRecord['effect'], readonly [IconName, MessageKey]>> = {
  read: ['iconMarginaliaSeen', 'activity.effect.read'],
  write: ['iconEdit', 'activity.effect.write'],
  outgoing: ['iconMarginaliaForwarded', 'activity.effect.outgoing'],
};

export const effectIcon = ({ effect }: ActivityRecord): IconName => EFFECTS[effect][0];
export const effectName = ({ effect }: ActivityRecord, t: Translate): string => t(EFFECTS[effect][1]);

export const isFailed = ({ status }: ActivityRecord): boolean => status !== 'running' && status !== 'success';

/** It read notes; a calculation did not. */
export const readsNotes = (record: ActivityRecord): boolean =>
  record.effect === 'read' && (record.sources.length > 0 || workKind(callOf(record)) !== 'other');

/** The notes that a call was about. Text that it read may include that of others, through references. */
function mainNotes(record: ActivityRecord): readonly string[] {
  if (record.written?.documentId) return [record.written.documentId];
  const read = noteRead(callOf(record));
  return read ? [read.id] : documentsOf(record);
}

/** The single note of a call, with its current title or, if that is not known, the recorded one; undefined for none or several. */
export function noteOf(
  record: ActivityRecord,
  titles: ReadonlyMap<string, string>,
): { readonly id: string; readonly title: string } | undefined {
  const [id, ...others] = mainNotes(record);
  if (id === undefined || others.length > 0) return undefined;
  return { id, title: titles.get(id) ?? record.written?.title ?? noteRead(callOf(record))?.title ?? '' };
}

/** "5 notes read, 2 changed", each note once. */
export function figuresLabel(records: readonly ActivityRecord[], t: Translate): string {
  const done = records.filter(({ status }) => status === 'success');
  const read = done.filter((record) => record.effect === 'read' && workKind(callOf(record)) === 'read');
  const changed = done.flatMap(({ written }) => (written && written.documentId !== '' ? [written.documentId] : []));
  return t('activity.figures', { read: new Set(read.flatMap(mainNotes)).size, changed: new Set(changed).size });
}
