import type { IconName } from '../../../ui/controls/icons.ts';
import { statusIcon, statusName } from '../../../ui/labels/status-labels.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { TesterRun } from '../tool-tester.ts';

export const runStatus = ({ status }: TesterRun, t: Translate): string =>
  status === 'planned' ? t('tester.planned') : statusName(status, t);

export const runIcon = ({ status }: TesterRun): IconName => (status === 'planned' ? 'iconMarginaliaSeen' : statusIcon(status));
