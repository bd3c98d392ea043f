import type { MessageExtras } from '../../../chat/view/view.ts';
import { isSeen, type NotebookRight } from '../../../tools/contract/notebook-right.ts';
import type { PlanOperation } from '../../../tools/contract/plans.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';

export interface SampleBlock {
  readonly id: string;
  readonly text: string;
  /** As by a model, not yet read. */
  readonly isNew: boolean;
}

/** The notes of the tour, which only this object holds: the steps change them as the panel changes real ones. */
export class Sample {
  readonly #t: Translate;
  readonly rights: Record<'plans' | 'diary', NotebookRight> = $state({ plans: 'write', diary: 'read' });
  /** The ids of the operations that would be written. */
  chosen: readonly string[] = $state(['flight', 'hotel']);
  written: readonly string[] = $state([]);
  undone: boolean = $state(false);

  constructor(t: Translate) {
    this.#t = t;
  }

  /** What a search finds: nothing of a notebook without access. */
  get found(): readonly { readonly notebook: 'plans' | 'diary'; readonly text: string }[] {
    const all = [
      { notebook: 'plans', text: this.#t('tour.train') },
      { notebook: 'diary', text: this.#t('tour.fear') },
    ] as const;
    return all.filter(({ notebook }) => isSeen(this.rights[notebook]));
  }

  get operations(): readonly PlanOperation[] {
    const block = { blockType: 'p', requires: [] };
    const update = { before: this.#t('tour.back.before'), after: this.#t('tour.back.after') };
    return [
      { id: 'flight', action: 'update', blockId: 'flight', ...block, ...update },
      { id: 'hotel', action: 'insert', blockId: 'hotel', ...block, before: null, after: this.#t('tour.hotel') },
    ];
  }

  get blocks(): readonly SampleBlock[] {
    const isNew = (id: string): boolean => this.written.includes(id) && !this.undone;
    return [
      { id: 'train', text: this.#t('tour.train'), isNew: false },
      { id: 'flight', text: this.#t(isNew('flight') ? 'tour.back.after' : 'tour.back.before'), isNew: isNew('flight') },
      ...(isNew('hotel') ? [{ id: 'hotel', text: this.#t('tour.hotel'), isNew: true }] : []),
    ];
  }

  get undo(): MessageExtras {
    const blocks = this.written.length;
    return { undo: { blocks, kind: 'exact', undone: this.undone, ...(this.undone && { redo: blocks }) } };
  }

  choose(ids: readonly string[], on: boolean): void {
    this.chosen = on ? [...this.chosen, ...ids] : this.chosen.filter((id) => !ids.includes(id));
  }

  decide(isApproved: boolean): void {
    this.written = isApproved ? this.chosen : [];
    this.undone = false;
  }
}
