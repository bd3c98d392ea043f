import type { Translate } from '../../../ui/ports/i18n.ts';
import type { PendingChange } from '../programs-port.ts';

export function pendingLabel({ from, request: { plan } }: PendingChange, t: Translate): string {
  const n = plan?.operations.filter(({ blockType }) => blockType !== 'd').length ?? 0;
  return n === 0 ? t('programs.wants', { name: from }) : t('programs.wantsBlocks', { name: from, n });
}
