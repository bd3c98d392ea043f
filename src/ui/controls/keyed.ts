/** One entry of a list with a key that no other entry of it has. */
export interface Keyed<T> {
  readonly key: string;
  readonly item: T;
}

/**
 * For `{#each keyed(list, …) as { key, item } (key)}`. Svelte gives up the whole panel when two keys are equal, so what comes from
 * notes, models, files or other windows never is a key by itself: a second one of the same gets one of its own.
 */
export function keyed<T>(list: readonly T[], keyOf: (item: T) => string): readonly Keyed<T>[] {
  const taken = new Set<string>();
  return list.map((item) => {
    const wanted = keyOf(item);
    let key = wanted;
    for (let number = 2; taken.has(key); number++) key = `${wanted}\n${number}`;
    taken.add(key);
    return { key, item };
  });
}
