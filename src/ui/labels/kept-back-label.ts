import type { KeptBack } from '../../chat/ports/kept-back.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';

/** What happened, and the next step. */
export interface Explanation {
  readonly what: string;
  readonly next: string;
}

const KEPT_BACK: Readonly<Record<KeptBack['by'], readonly [MessageKey, MessageKey]>> = {
  notebook: ['suggestion.keptBack.notebook', 'suggestion.next.other'],
  note: ['suggestion.keptBack.note', 'suggestion.next.guard.note'],
  block: ['suggestion.keptBack.block', 'suggestion.next.guard.block'],
};

/** Why a text is hidden from the model, for the person, who sees it anyway. */
export function keptBackLabel(kept: KeptBack, t: Translate): Explanation {
  const [what, next] = KEPT_BACK[kept.by];
  return { what: t(what, kept.by === 'block' ? {} : { name: kept.name }), next: t(next) };
}
