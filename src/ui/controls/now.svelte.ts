import { untrack } from 'svelte';

/** The time, told anew each second while `active` holds; must be made while a component initialises. */
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
