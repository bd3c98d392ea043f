import type { ModelMarks } from '../../model/model-marks.ts';
import type { IconName } from '../controls/icons.ts';
import type { Translate } from '../ports/i18n.ts';

export interface ModelMark {
  /** For screen readers and on hover. */
  readonly label: string;
  readonly icon?: IconName;
  readonly text?: string;
}

/** 128000 → "128K", 1047576 → "1M". */
function windowText(tokens: number): string {
  return tokens >= 1_000_000 ? `${Math.round(tokens / 1_000_000)}M` : `${Math.round(tokens / 1000)}K`;
}

/** The abilities of a model, as far as known, the most wanted first. */
export function modelMarks({ type, tools, vision, reasoning, context }: ModelMarks, t: Translate): readonly ModelMark[] {
  if (type !== 'chat') return [{ label: t(`type.${type}`), text: t(`type.${type}`) }];
  const marks: (ModelMark | false | undefined)[] = [
    tools === true && { label: t('mark.tools'), icon: 'iconMarginaliaTools' },
    tools === false && { label: t('mark.noTools'), icon: 'iconMarginaliaBan' },
    vision === true && { label: t('mark.vision'), icon: 'iconMarginaliaSeen' },
    reasoning === true && { label: t('mark.reasoning'), icon: 'iconMarginaliaThinks' },
    context !== undefined && { label: t('mark.context', { n: windowText(context) }), text: windowText(context) },
  ];
  return marks.filter((mark): mark is ModelMark => Boolean(mark));
}
