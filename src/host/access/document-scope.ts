import { quoted } from '../sql/sql-text.ts';
import type { AccessPolicy } from './access-policy.ts';

/** Of some notebooks, the only documents that may be read, with what is below them: a positive list beside the guards. */
export interface DocumentScope {
  /** Tells if anything of an open notebook is outside of it. */
  readonly isNarrow: boolean;
  /** `path`: of ids, as the kernel has it. */
  holds(notebook: string, path: string): boolean;
  /** An SQL condition, true for what is outside. `row` has `box`, empty for some tags of documents, and `path`. */
  outside(row: string): string;
  /** What keeps back the rest of a notebook, in the terms of `Obstacles`; it changes with the documents. */
  obstacle(notebook: string): string | undefined;
}

export function documentScope(policy: Pick<AccessPolicy, 'within'>): DocumentScope {
  const documents = (): Readonly<Record<string, readonly string[]>> => policy.within?.() ?? {};
  return {
    get isNarrow() {
      return Object.keys(documents()).length > 0;
    },
    holds: (notebook, path) => documents()[notebook]?.some((id) => path.includes(id)) ?? true,
    outside: (row) => {
      const conditions = Object.entries(documents()).map(([notebook, ids]) => {
        const inside = ids.map((id) => ` OR instr(${row}.path, ${quoted(id)}) > 0`).join('');
        return `(${row}.box IN (${quoted(notebook)}, '') AND NOT (FALSE${inside}))`;
      });
      return conditions.length === 0 ? 'FALSE' : `(${conditions.join(' OR ')})`;
    },
    obstacle: (notebook) => {
      const ids = documents()[notebook];
      return ids && `${notebook}:${[...ids].sort().join('+')}`;
    },
  };
}
