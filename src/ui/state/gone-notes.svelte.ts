import { SvelteSet } from 'svelte/reactivity';
import type { HostUi } from '../ports/host-ui.ts';

/** Those of these notes that are gone, or may not be read; looked up whenever the list changes. */
export function goneNotes(host: Pick<HostUi, 'blockMarkdown'>, ids: () => readonly string[]): ReadonlySet<string> {
  const gone = new SvelteSet<string>();
  const asked = $derived(ids().join());
  $effect(() => {
    let stale = false;
    gone.clear();
    for (const id of asked.split(',').filter(Boolean))
      void host.blockMarkdown(id).then(
        (text) => {
          if (!stale && text === null) gone.add(id);
        },
        // Not known now: the link says so when it is followed.
        () => undefined,
      );
    return () => {
      stale = true;
    };
  });
  return gone;
}
