/** Names of notes that a row has room for. */
const NEAREST = 2;

interface NotePath {
  readonly title: string;
  /** Path in words, "/Projects/Apollo". */
  readonly path: string;
  /** The notebook's name. */
  readonly notebook: string;
}

/** Names of a path in words. A title with a slash in it comes as two. */
export const namesIn = (path: string): readonly string[] => path.split('/').filter((name) => name !== '');

/** Where a note stands, from the notebook down to the note above it. A title may hold a slash. */
export function placeNames({ title, path, notebook }: NotePath): readonly string[] {
  const above = path.endsWith(`/${title}`) ? path.slice(0, -title.length - 1) : path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return [notebook, ...namesIn(above)].filter((name) => name !== '');
}

/** The end of a place: what tells one from another stands there. */
export const nearestNames = (names: readonly string[]): readonly string[] =>
  names.length > NEAREST ? ['…', ...names.slice(-NEAREST)] : names;
