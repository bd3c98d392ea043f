import { joinTexts } from '../../chat/session/join-texts.ts';
import type { MessageView } from '../../chat/view/view.ts';

/** All that was said in a message, as one Markdown; '' where nothing was. */
export const answerText = ({ segments }: MessageView): string =>
  joinTexts(segments.flatMap((segment) => (segment.kind === 'text' ? [segment.text.trim()] : [])));
