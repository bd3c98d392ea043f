import { isRead } from '../../chat/session/contexts.ts';
import type { MessageView, ToolCallView } from '../../chat/view/view.ts';
import { guessModalType } from '../../model/modal-type.ts';
import { workKind } from '../labels/tool-labels.ts';
import { callsOf } from '../labels/work-labels.ts';
import type { ToolGroupSetting } from '../ports/settings-port.ts';

/** `never`: no note was read in this chat so far; `again`: none was read for this answer, but earlier ones are known. */
export type Unread = 'never' | 'again';

/** Tools that return what was read earlier in the chat. */
const REMEMBERS: readonly string[] = ['ReadVar'];

const touchesNotes = (call: Pick<ToolCallView, 'tool' | 'args'>): boolean => workKind(call) !== 'other' || REMEMBERS.includes(call.tool);

/** Whether any tool that reads notes is on: without one no answer can be based on notes, and saying so would be useless. */
export function canReadNotes(groups: readonly ToolGroupSetting[]): boolean {
  const reads = (tool: string): boolean => ['read', 'search'].includes(workKind({ tool, args: {} }));
  return groups.some((group) => group.enabled && group.tools.some((tool) => tool.enabled && reads(tool.name)));
}

const known = new WeakMap<MessageView, boolean>();

/** Unchanged message views keep their identity: each is inspected once. */
function usesNotes(message: MessageView): boolean {
  const before = known.get(message);
  if (before !== undefined) return before;
  const uses =
    message.citations.length > 0 ||
    message.contexts.some(isRead) ||
    message.undo !== undefined ||
    callsOf(message.segments).some((call) => call.status === 'success' && touchesNotes(call));
  known.set(message, uses);
  return uses;
}

/**
 * Finished answers that are based on no note, by node id: neither the answer nor its question brought one. Answers that
 * wrote are excluded (they are work, not claims), so are pictures and speech, and everything while notes cannot be read at all.
 */
export function unreadAnswers(messages: readonly MessageView[], notesAreReadable: boolean): ReadonlyMap<string, Unread> {
  const unread = new Map<string, Unread>();
  if (!notesAreReadable) return unread;
  let ever = false;
  let attached = false;
  for (const message of messages) {
    const uses = usesNotes(message);
    if (message.role === 'user') attached = uses;
    else if (message.role === 'assistant' && message.status === 'done' && !uses && !attached && guessModalType(message.author) === 'chat')
      unread.set(message.nodeId, ever ? 'again' : 'never');
    ever ||= uses;
  }
  return unread;
}
