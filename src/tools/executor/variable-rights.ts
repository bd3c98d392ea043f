import { ToolError } from '../contract/errors.ts';
import { type NoteRights, type NoteSource, Withheld } from '../contract/provenance.ts';
import type { Variable } from '../contract/variable.ts';

/** The sources that the model had seen when it wrote something, and what was withheld from it then. */
export interface WrittenFrom {
  readonly sources: readonly NoteSource[];
  readonly withheld: readonly string[];
}

const BLOCK_ID = /(?<![0-9a-z-])\d{14}-[0-9a-z]{7}(?![0-9a-z-])/gu;

export function idsInText(text: string): readonly string[] {
  return [...new Set(text.match(BLOCK_ID))];
}

const guesses = new WeakMap<Variable, readonly NoteSource[]>();

/** For a value of an older version, its notebooks are known, and the ids in it; without ids it may be from anything in them. */
export function sourcesOf(variable: Variable): readonly NoteSource[] {
  const { sources, notebooks, value } = variable;
  if (sources !== undefined || notebooks === undefined) return sources ?? [];
  const known = guesses.get(variable);
  if (known !== undefined) return known;
  const ids = idsInText(value);
  const made = notebooks.map((notebook) => (ids.length === 0 ? { notebook } : { notebook, blocks: ids }));
  guesses.set(variable, made);
  return made;
}

export class VariableRights {
  private readonly rights: NoteRights;
  /** undefined: nothing is known of the message. */
  private readonly writtenFrom: (node: string) => WrittenFrom | undefined;

  constructor(rights: NoteRights, writtenFrom: (node: string) => WrittenFrom | undefined) {
    this.rights = rights;
    this.writtenFrom = writtenFrom;
  }

  /** The readable ones. Rejects like NoteRights. */
  async readable(variables: readonly Variable[], signal: AbortSignal): Promise<readonly Variable[]> {
    const origins = variables.map((variable) => ({
      variable,
      own: sourcesOf(variable),
      written: variable.node === undefined ? undefined : this.writtenFrom(variable.node),
    }));
    const withheld = await Withheld.ask(
      this.rights,
      origins.flatMap(({ own, written }) => [...own, ...(written?.sources ?? [])]),
      signal,
    );
    return origins.flatMap(({ variable, own, written }) =>
      withheld.holds(own) || withheld.holds(written?.sources, written?.withheld) ? [] : [variable],
    );
  }

  /** Rejects with `no_right` if one of them may not be read. */
  async require(variables: readonly Variable[], signal: AbortSignal): Promise<void> {
    const readable = new Set(await this.readable(variables, signal));
    const refused = variables.find((variable) => !readable.has(variable));
    if (refused === undefined) return;
    throw new ToolError('no_right', `"${refused.name}" comes from notes that may no longer be read`, 'go on without it or ask the user');
  }
}
