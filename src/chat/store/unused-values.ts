import * as v from 'valibot';
import { brokenCopies } from '../../tools/util/broken-copy.ts';
import { pathOf } from './session-files.ts';
import type { ChatStorage } from './storage-port.ts';

const MARKS = 'unused.json';
const marksFormat = v.object({ schema: v.literal(1), since: v.record(v.string(), v.number()) });
type Marks = Readonly<Record<string, number>>;

interface UnusedOptions {
  /** Other texts that may name a value: the chat in the trash, this device's backup. */
  readonly texts: readonly (string | null)[];
  /** Values that nothing has named since before this time are removed. */
  readonly before: number;
  readonly now: number;
}

function readMarks(text: string | null): Marks {
  try {
    return text === null ? {} : v.parse(marksFormat, JSON.parse(text)).since;
  } catch {
    // Counting them again only keeps values longer.
    return {};
  }
}

/** Removes values that no file has named, now and before `before`: a device that was offline restores a variable with its next save. */
export async function dropUnusedValues(storage: ChatStorage, id: string, { texts, before, now }: UnusedOptions): Promise<void> {
  const folder = `variables/${id}`;
  const names = await storage.list(folder);
  const values = names.filter((name) => name.endsWith('.txt'));
  const logs = (await storage.list(`journal/${id}`)).map((name) => `journal/${id}/${name}`);
  const paths = [pathOf(id), ...(await brokenCopies(storage, pathOf(id))), ...logs];
  const found = [...texts, ...(await Promise.all(paths.map((path) => storage.read(path))))].filter((text) => text !== null);
  const unused = values.filter((name) => !found.some((text) => text.includes(name)));
  const marks = names.includes(MARKS) ? readMarks(await storage.read(`${folder}/${MARKS}`)) : {};
  const since = new Map(unused.map((name) => [name, marks[name] ?? now]));
  const gone = unused.filter((name) => (since.get(name) ?? now) < before);
  if (gone.length === values.length && found.length === 0) return storage.remove(folder);
  for (const name of gone) {
    await storage.remove(`${folder}/${name}`);
    since.delete(name);
  }
  const left = Object.fromEntries(since);
  if (since.size === 0) return names.includes(MARKS) ? storage.remove(`${folder}/${MARKS}`) : undefined;
  if (JSON.stringify(left) !== JSON.stringify(marks)) await storage.write(`${folder}/${MARKS}`, JSON.stringify({ schema: 1, since: left }));
}
