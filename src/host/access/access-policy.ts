import type { NotebookRight } from '../../tools/contract/ports.ts';
import { Listeners } from '../../tools/util/notify.ts';

const OTHERS = '*';

/** The right of each notebook: none < read < write < delete; the default is read. */
export interface AccessPolicy {
  right(notebook: string): NotebookRight;
  rights(): Readonly<Record<string, NotebookRight>>;
  setRight(notebook: string, right: NotebookRight): void;
  /** "Allow writing in <notebook>": raises its right to at least `right`. A notebook at `none` stays at `none`. */
  raise(notebook: string, right: NotebookRight): void;
  /** Of notebooks of which only a part may be read, the documents at its top; undefined where notebooks may be made, too. */
  within?(): Readonly<Record<string, readonly string[]>> | undefined;
  subscribe(listener: () => void): () => void;
}

const ORDER: readonly NotebookRight[] = ['none', 'read', 'write', 'delete'];
export const allows = (has: NotebookRight, needs: NotebookRight): boolean => ORDER.indexOf(has) >= ORDER.indexOf(needs);

export function createAccessPolicy(initial: Readonly<Record<string, NotebookRight>> = {}): AccessPolicy {
  const rights = new Map(Object.entries(initial));
  const listeners = new Listeners<[]>();
  const right = (notebook: string): NotebookRight => rights.get(notebook) ?? rights.get(OTHERS) ?? 'read';
  const setRight = (notebook: string, value: NotebookRight): void => {
    rights.set(notebook, value);
    listeners.call();
  };
  return {
    right,
    rights: () => Object.fromEntries(rights),
    setRight,
    raise: (notebook, wanted) => {
      if (right(notebook) !== 'none' && !allows(right(notebook), wanted)) setRight(notebook, wanted);
    },
    subscribe: (listener) => {
      return listeners.add(listener);
    },
  };
}
