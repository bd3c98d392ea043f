/**
 * A part of the notes that a text came from; saved with whatever holds the text. What keeps any of it from being read keeps
 * the text from the model.
 */
export interface NoteSource {
  /** Alone: the text may be of anything in the notebook. */
  readonly notebook?: string;
  /** The text may be of anything in the document. */
  readonly document?: string;
  /** Blocks whose text it holds, or shows by a reference. */
  readonly blocks?: readonly string[];
  /** Obstacles at the time when the text was read: what they hide is not in it. */
  readonly except?: readonly string[];
}

/** Ids of what keeps notes from being read: notebooks without the right, closed or encrypted; guarded blocks; what cannot be found. */
export type Obstacles = ReadonlySet<string>;

/** What a read said of its origin, before its documents are looked up. */
export interface ReadPlaces {
  readonly notebooks: readonly string[];
  /** Of documents and blocks. */
  readonly ids: readonly string[];
  /** ToolExecuteResult.fromIndex */
  readonly fromIndex?: boolean;
}

/** The rights of this moment over text that was read before. Rejects with ToolError as NotesPort does. */
export interface NoteRights {
  /** All that keeps anything from being read now. Asked before a read, so that a guard that is set during it counts as a later one. */
  currentObstacles(signal: AbortSignal): Promise<Obstacles>;
  /** Where a text came from that was just read. `before`: what `currentObstacles` said before the read. */
  trace(places: ReadPlaces, before: Obstacles, signal: AbortSignal): Promise<readonly NoteSource[]>;
  /** For each source, in order, what keeps it from being read now; its `except` is left to the caller. */
  obstacles(sources: readonly NoteSource[], signal: AbortSignal): Promise<readonly Obstacles[]>;
}

const NONE: Obstacles = new Set();

/** For chats and executors without notes: nothing is ever in the way. */
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

/** For what was read from a file. */
export function isSourceList(value: unknown): value is readonly NoteSource[] {
  return Array.isArray(value) && value.every(isNoteSource);
}

const fingerprints = new WeakMap<NoteSource, string>();

/** Tells one source from another in what is saved, however many blocks it names. */
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

/** Each source once. */
export function mergeSources(...lists: readonly (readonly NoteSource[] | undefined)[]): readonly NoteSource[] {
  const byPrint = new Map<string, NoteSource>();
  for (const source of lists.flatMap((list) => list ?? [])) byPrint.set(fingerprint(source), source);
  return [...byPrint.values()];
}

export function notebooksOf(sources: readonly NoteSource[]): readonly string[] {
  return [...new Set(sources.flatMap(({ notebook }) => notebook ?? []))];
}

/** Where the lookup fails, the text is kept back more often, never less. */
export async function obstaclesBefore(rights: NoteRights, signal: AbortSignal): Promise<Obstacles> {
  try {
    return await rights.currentObstacles(signal);
  } catch {
    return NONE;
  }
}

/** Never rejects: a result that stands must not be lost over the question where it came from. */
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

/** What the rights of one moment say of sources that were asked about. */
export class Withheld {
  static readonly nothing = new Withheld(new Set());
  /** Fingerprints of all that is withheld: what a text that is written now does not hold. */
  readonly prints: readonly string[];
  private readonly found: ReadonlySet<string>;

  private constructor(found: ReadonlySet<string>) {
    this.found = found;
    this.prints = [...found];
  }

  /** Rejects as NoteRights does. */
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

  /** Any of these may not be read. `without`: fingerprints of those that were withheld already when the text was written. */
  holds(sources: Iterable<NoteSource> | undefined, without: readonly string[] = []): boolean {
    if (this.empty || sources === undefined) return false;
    for (const source of sources) {
      const print = fingerprint(source);
      if (this.found.has(print) && !without.includes(print)) return true;
    }
    return false;
  }
}

/** Stands in the place of what may no longer be read; says nothing of it, not even how long it was. */
export const LEFT_OUT = '(left out: the note may no longer be read)';
/** Stands in the place of what the model said with such a note before it. */
export const ANSWER_LEFT_OUT = '(left out: it was written from notes that may no longer be read)';
