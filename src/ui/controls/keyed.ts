/** One entry of a list with a key that no other entry has. */
export interface Keyed<T> {
  readonly key: string;
  readonly item: T;
}

/**
 * For `{#each keyed(list, …) as { key, item } (key)}`. Svelte stops rendering the panel when two keys are equal, so values from
 * notes, models, files or other windows are never used as keys directly: a duplicate gets a key of its own.
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
