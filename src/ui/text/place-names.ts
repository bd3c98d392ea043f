const NEAREST = 2;

interface NotePath {
  readonly title: string;
  /** Human-readable path, "/Projects/Apollo". */
  readonly path: string;
  readonly notebook: string;
}

/** The names in a human-readable path. A title with a slash gives two. */
export const namesIn = (path: string): readonly string[] => path.split('/').filter((name) => name !== '');

/** The place of a note, from the notebook down to its parent note. A title may contain a slash. */
export function placeNames({ title, path, notebook }: NotePath): readonly string[] {
  const above = path.endsWith(`/${title}`) ? path.slice(0, -title.length - 1) : path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return [notebook, ...namesIn(above)].filter((name) => name !== '');
}

/** The end of a place, which distinguishes it from others. */
export const nearestNames = (names: readonly string[]): readonly string[] =>
  names.length > NEAREST ? ['…', ...names.slice(-NEAREST)] : names;
