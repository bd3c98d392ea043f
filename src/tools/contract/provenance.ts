/** A part of the notes that a text came from, saved with it; if any of it may not be read, the text is withheld from the model. */
export interface NoteSource {
  /** If alone: the text may be from anything in the notebook. */
  readonly notebook?: string;
  /** The text may be from anything in the document. */
  readonly document?: string;
  /** Blocks whose text it contains, or shows by a reference. */
  readonly blocks?: readonly string[];
  /** Obstacles at the time of reading: what they hide is not in the text. */
  readonly except?: readonly string[];
}

/** Ids of what keeps notes from being read: notebooks without the right, closed or encrypted; guarded blocks; missing ones. */
export type Obstacles = ReadonlySet<string>;

/** The origin of a read, before its documents are looked up. */
export interface ReadPlaces {
  readonly notebooks: readonly string[];
  readonly ids: readonly string[];
  readonly fromIndex?: boolean;
}

/** The current rights over text that was read earlier. Rejects with ToolError like NotesPort. */
export interface NoteRights {
  /** Everything that keeps notes from being read now. Called before a read, so that a guard set during it counts as a later one. */
  currentObstacles(signal: AbortSignal): Promise<Obstacles>;
  /** The sources of a text that was just read. `before`: the result of `currentObstacles` before the read. */
  trace(places: ReadPlaces, before: Obstacles, signal: AbortSignal): Promise<readonly NoteSource[]>;
  /** For each source, in order, what keeps it from being read now; the caller applies its `except`. */
  obstacles(sources: readonly NoteSource[], signal: AbortSignal): Promise<readonly Obstacles[]>;
}

const NONE: Obstacles = new Set();

/** For chats and executors without notes: there are no obstacles. */
export const NO_NOTES: NoteRights = {
  currentObstacles: async () => NONE,
  trace: async () => [],
  obstacles: async (sources) => sources.map(() => NONE),
};

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isText = (value: unknown): boolean => typeof value === 'string';

function isNoteSource(value: unknown): value is NoteSource {
  if (typeof value !== 'object' || value === null) return false;
  const { notebook = '', document = '', blocks = [], except = [] } = value as Readonly<Record<string, unknown>>;
  return isText(notebook) && isText(document) && isTexts(blocks) && isTexts(except);
}

export function isSourceList(value: unknown): value is readonly NoteSource[] {
  return Array.isArray(value) && value.every(isNoteSource);
}

const fingerprints = new WeakMap<NoteSource, string>();

/** Identifies a source in saved data, however many blocks it names. */
function fingerprint(source: NoteSource): string {
  const known = fingerprints.get(source);
  if (known !== undefined) return known;
  const text = JSON.stringify([source.notebook, source.document, source.blocks, source.except]);
  let [high, low] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = (Math.imul(high, 31) + unit) >>> 0;
    low = (Math.imul(low, 131) + unit) >>> 0;
  }
  const made = `${high.toString(36)}.${low.toString(36)}`;
  fingerprints.set(source, made);
  return made;
}

export function mergeSources(...lists: readonly (readonly NoteSource[] | undefined)[]): readonly NoteSource[] {
  const byPrint = new Map<string, NoteSource>();
  for (const source of lists.flatMap((list) => list ?? [])) byPrint.set(fingerprint(source), source);
  return [...byPrint.values()];
}

export function notebooksOf(sources: readonly NoteSource[]): readonly string[] {
  return [...new Set(sources.flatMap(({ notebook }) => notebook ?? []))];
}

/** If the lookup fails, the text is withheld more often, never less. */
export async function obstaclesBefore(rights: NoteRights, signal: AbortSignal): Promise<Obstacles> {
  try {
    return await rights.currentObstacles(signal);
  } catch {
    return NONE;
  }
}

/** Never rejects: a valid result must not be lost because its sources could not be traced. */
export async function traceRead(
  rights: NoteRights,
  places: ReadPlaces,
  before: Obstacles,
  signal: AbortSignal,
): Promise<readonly NoteSource[]> {
  if (places.notebooks.length === 0 && places.ids.length === 0) return [];
  try {
    return await rights.trace(places, before, signal);
  } catch {
    const whole = places.notebooks.map((notebook) => ({ notebook }));
    return places.ids.length === 0 ? whole : [...whole, { blocks: places.ids }];
  }
}

/** The rights at one moment over the sources that were checked. */
export class Withheld {
  static readonly nothing = new Withheld(new Set());
  /** Fingerprints of everything withheld: what a text written now does not contain. */
  readonly prints: readonly string[];
  private readonly found: ReadonlySet<string>;

  private constructor(found: ReadonlySet<string>) {
    this.found = found;
    this.prints = [...found];
  }

  static async ask(rights: NoteRights, sources: Iterable<NoteSource>, signal: AbortSignal): Promise<Withheld> {
    const asked = mergeSources([...sources]);
    if (asked.length === 0) return Withheld.nothing;
    const answers = await rights.obstacles(asked, signal);
    const found = asked.filter((source, index) => [...(answers[index] ?? [])].some((id) => !source.except?.includes(id)));
    return found.length === 0 ? Withheld.nothing : new Withheld(new Set(found.map(fingerprint)));
  }

  get empty(): boolean {
    return this.found.size === 0;
  }

  /** Whether any of these may not be read. `without`: fingerprints of those already withheld when the text was written. */
  holds(sources: Iterable<NoteSource> | undefined, without: readonly string[] = []): boolean {
    if (this.empty || sources === undefined) return false;
    for (const source of sources) {
      const print = fingerprint(source);
      if (this.found.has(print) && !without.includes(print)) return true;
    }
    return false;
  }
}

/** Replaces text that may no longer be read; it reveals nothing about it, not even its length. */
export const LEFT_OUT = '(left out: the note may no longer be read)';
/** Replaces what the model wrote after seeing such a note. */
export const ANSWER_LEFT_OUT = '(left out: it was written from notes that may no longer be read)';
