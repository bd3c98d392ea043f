import { untrack } from 'svelte';

/** The time, updated every second while `active` is true; must be made while a component initializes. */
export function secondsWhile(active: () => boolean): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (!active()) return;
    untrack(() => {
      now = Date.now();
    });
    const timer = setInterval(() => {
      now = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
