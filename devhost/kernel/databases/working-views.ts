import type { AttributeViews } from '../store/attribute-views.ts';
import type { AttributeView } from './attribute-view.ts';

/** The databases that one transaction has touched. Nothing reaches the disk before the transaction commits. */
export class WorkingViews {
  private readonly store: AttributeViews;
  private readonly views = new Map<string, AttributeView>();

  constructor(store: AttributeViews) {
    this.store = store;
  }

  get(id: string): AttributeView | undefined {
    const known = this.views.get(id) ?? this.store.load(id);
    if (known) this.views.set(id, known);
    return known;
  }

  save(): void {
    for (const view of this.views.values()) this.store.save(view);
  }
}
