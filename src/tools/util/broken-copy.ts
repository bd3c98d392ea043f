/** The storage methods that a copy needs; paths are relative to its root, with `/`. */
export interface CopyStorage {
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  /** Names of the files in a folder ('' is the root); empty if it does not exist. */
  list(folder: string): Promise<readonly string[]>;
}

export async function brokenCopies(place: Pick<CopyStorage, 'list'>, path: string): Promise<readonly string[]> {
  const slash = path.lastIndexOf('/');
  const prefix = `${path.slice(slash + 1)}.broken-`;
  const names = await place.list(path.slice(0, Math.max(slash, 0)));
  return names.filter((name) => name.startsWith(prefix)).map((name) => path.slice(0, slash + 1) + name);
}

/** Copies an unreadable text to `<path>.broken-<time>`, each text once. Returns the path of the copy; rejects like the storage. */
export async function keepBroken(place: CopyStorage, path: string, text: string, now: number): Promise<string> {
  const copies = await brokenCopies(place, path);
  for (const copy of copies) if ((await place.read(copy)) === text) return copy;
  let time = now;
  while (copies.includes(`${path}.broken-${time}`)) time += 1;
  const copy = `${path}.broken-${time}`;
  await place.write(copy, text);
  return copy;
}
