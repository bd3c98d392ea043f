import type { TesterRun } from '../../chat/tester/tool-tester.ts';
import type { IconName } from '../controls/icons.ts';
import { statusIcon, statusName } from '../labels/status-labels.ts';
import type { Translate } from '../ports/i18n.ts';

export const runStatus = ({ status }: TesterRun, t: Translate): string =>
  status === 'planned' ? t('tester.planned') : statusName(status, t);

export const runIcon = ({ status }: TesterRun): IconName => (status === 'planned' ? 'iconMarginaliaSeen' : statusIcon(status));
