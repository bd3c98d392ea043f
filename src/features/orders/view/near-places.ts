import { nearNames } from '../../../tools/util/near-names.ts';
import type { NoteChoice } from '../../../ui/ports/host-ui.ts';

const MOST = 3;

/** Notebooks and notes whose names or paths are like `wanted`, each once, by what names no other one. */
export function nearPlaces(wanted: string, notebooks: readonly string[], notes: readonly NoteChoice[]): readonly string[] {
  const named = [
    ...notebooks.map((name) => ({ names: [name], place: name })),
    ...notes.map(({ title, place }) => ({ names: [title, place], place })),
  ];
  const names = [...new Set(named.flatMap((each) => each.names))].filter((name) => name !== wanted);
  const near = nearNames(wanted, names, names.length);
  const places = near.flatMap((name) => named.filter((each) => each.names.includes(name)).map(({ place }) => place));
  return [...new Set(places)].filter((place) => place !== wanted).slice(0, MOST);
}
