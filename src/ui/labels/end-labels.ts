import type { MessageView } from '../../chat/view/view.ts';
import type { Translate } from '../ports/i18n.ts';
import { errorLabel } from './error-labels.ts';
import { joinSentences } from './format.ts';
import { unwrittenChanges, unwrittenLabel } from './work-labels.ts';

/** How the last answer ended, for screen readers: complete, stopped, or failed and why; and what it did not write. */
export function endLabel(messages: readonly MessageView[], t: Translate): string {
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (!last) return '';
  const { status, error, author } = last;
  const unwritten = unwrittenChanges(last.segments, t);
  const missing = unwritten ? [unwrittenLabel(unwritten, t)] : [];
  if (status === 'done') return joinSentences([t('said.finished'), ...missing]);
  if (status === 'stopped') return joinSentences([t('said.stopped'), ...missing]);
  const first = messages.find(({ role }) => role === 'assistant') === last;
  return joinSentences([t('said.failed'), ...(error ? [errorLabel(error, t, { model: author, first }).what] : []), ...missing]);
}
