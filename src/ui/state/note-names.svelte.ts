import { SvelteMap } from 'svelte/reactivity';
import { inBackground } from '../../tools/util/notify.ts';
import type { ActivityPort } from '../ports/activity-port.ts';

/** Titles by ids: asked for once, all that are wanted at a time together. */
export class NoteNames {
  readonly #known = new SvelteMap<string, string>();
  readonly #asked = new Set<string>();
  readonly #activity: Pick<ActivityPort, 'titles'> | undefined;
  #waiting: string[] = [];

  constructor(activity: Pick<ActivityPort, 'titles'> | undefined) {
    this.#activity = activity;
  }

  /** '' until it is known, and where there is none. */
  of(id: string): string {
    this.#ask(id);
    return this.#known.get(id) ?? '';
  }

  #ask(id: string): void {
    if (!this.#activity || this.#asked.has(id)) return;
    this.#asked.add(id);
    this.#waiting.push(id);
    if (this.#waiting.length === 1) queueMicrotask(() => inBackground(this.#load()));
  }

  async #load(): Promise<void> {
    const ids = this.#waiting;
    this.#waiting = [];
    try {
      for (const [id, title] of (await this.#activity?.titles(ids)) ?? []) this.#known.set(id, title);
    } catch {
      // The host does not answer: the card goes without a name, and who looks at it next asks again.
      for (const id of ids) this.#asked.delete(id);
    }
  }
}
