import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { visibleText } from '../../tools/safe-content/unseen.ts';
import type { Translate } from '../ports/i18n.ts';
import { hostOf } from './sent-text.ts';
import { toolName } from './tool-labels.ts';

/** The question whether something may be sent, in the words of the tool, with the full search text. */
export function outgoingQuestion(request: Pick<ApprovalRequest, 'tool' | 'args' | 'outgoing'>, t: Translate): string {
  const { tool, args, outgoing } = request;
  const host = hostOf(outgoing?.destination ?? '');
  if (tool === 'web_fetch') return t('approval.fetch', { host });
  if (tool === 'web_search' && typeof args.query === 'string') return t('approval.search', { query: visibleText(args.query), host });
  return t('approval.send', { tool: toolName(tool, t), host });
}
