import { joinTexts } from '../../chat/session/visible-text.ts';
import type { MessageView } from '../../chat/view/view.ts';

/** All text of a message, as one Markdown; '' if there is none. */
export const answerText = ({ segments }: MessageView): string =>
  joinTexts(segments.flatMap((segment) => (segment.kind === 'text' ? [segment.text.trim()] : [])));
