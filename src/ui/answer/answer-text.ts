import { joinTexts } from '../../chat/session/visible-text.ts';
import type { MessageView } from '../../chat/view/view.ts';

/** The text of the question that a message answers; '' if there is none. */
export function questionOf(messages: readonly MessageView[], nodeId: string): string {
  const at = messages.findIndex((message) => message.nodeId === nodeId);
  const asked = messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user');
  return asked ? answerText(asked) : '';
}

/** All text of a message, as one Markdown; '' if there is none. */
export const answerText = ({ segments }: MessageView): string =>
  joinTexts(segments.flatMap((segment) => (segment.kind === 'text' ? [segment.text.trim()] : [])));
