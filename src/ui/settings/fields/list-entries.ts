// Lists of the settings, as one window changes them while another one may have changed them too.

/**
 * The list with `entry` in the place of the one that was edited. Where that is not there (the entry is new, or was removed in another
 * window meanwhile), it comes last: what somebody typed is not lost.
 */
export function withEntry<T>(list: readonly T[], entry: T, isEdited: (each: T) => boolean): readonly T[] {
  const place = list.findIndex(isEdited);
  return place < 0 ? [...list, entry] : [...list.slice(0, place), entry, ...list.slice(place + 1)];
}

export function withoutEntry<T>(list: readonly T[], isRemoved: (each: T) => boolean): readonly T[] {
  const place = list.findIndex(isRemoved);
  return list.filter((_entry, index) => index !== place);
}

export const sameEntry =
  (entry: unknown) =>
  (each: unknown): boolean =>
    JSON.stringify(each) === JSON.stringify(entry);

/** A list that was typed as a whole over `before`: what was added or removed elsewhere since counts too. */
export function mergedList(before: readonly string[], typed: readonly string[], now: readonly string[]): readonly string[] {
  const kept = typed.filter((each) => now.includes(each) || !before.includes(each));
  return [...kept, ...now.filter((each) => !before.includes(each) && !typed.includes(each))];
}
