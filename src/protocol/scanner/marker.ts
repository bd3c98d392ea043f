/** The text ends where the marker may still follow. */
export const UNDECIDED = -1;

/** The length of the marker at `at`; 0 if there is none; UNDECIDED if the text ends within it. */
export function markerAt(text: string, at: number, marker: string): number {
  if (text.startsWith(marker, at)) return marker.length;
  const room = text.length - at;
  return room < marker.length && marker.startsWith(text.slice(at)) ? UNDECIDED : 0;
}

/** The same for ASCII letters of either case; `marker` is in lower case. */
export function looseMarkerAt(text: string, at: number, marker: string): number {
  const found = text.slice(at, at + marker.length).toLowerCase();
  if (found === marker) return marker.length;
  return text.length - at < marker.length && marker.startsWith(found) ? UNDECIDED : 0;
}
