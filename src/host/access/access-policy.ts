import { allows, isSeen, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import { Listeners } from '../../tools/util/notify.ts';

const OTHERS = '*';

/** The right of each notebook; the default is read. */
export interface AccessPolicy {
  right(notebook: string): NotebookRight;
  rights(): Readonly<Record<string, NotebookRight>>;
  setRight(notebook: string, right: NotebookRight): void;
  /** "Allow writing in <notebook>": raises its right to at least `right`. A notebook that is not seen stays as it is. */
  raise(notebook: string, right: NotebookRight): void;
  /** Of notebooks of which only a part may be read, the documents at its top; undefined where notebooks may be made, too. */
  within?(): Readonly<Record<string, readonly string[]>> | undefined;
  subscribe(listener: () => void): () => void;
}

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
      if (isSeen(right(notebook)) && !allows(right(notebook), wanted)) setRight(notebook, wanted);
    },
    subscribe: (listener) => {
      return listeners.add(listener);
    },
  };
}
