import { cloneOperations, type Operation } from './operation.ts';

export interface UndoEntry {
  readonly doOperations: readonly Operation[];
  readonly undoOperations: readonly Operation[];
  readonly rootIds: readonly string[];
}

interface Stack {
  undo: UndoEntry[];
  redo: UndoEntry[];
  /** After an undo the next new step clears the redo side. */
  undone: boolean;
}

const LIMIT = 64;

/** The kernel's undo log: one stack a document, in memory, lost at restart. Only what came by `/api/transactions` is in it. */
export class UndoLog {
  private readonly stacks = new Map<string, Stack>();

  private stack(rootId: string): Stack {
    const known = this.stacks.get(rootId);
    if (known) return known;
    const stack: Stack = { undo: [], redo: [], undone: false };
    this.stacks.set(rootId, stack);
    return stack;
  }

  record(doOperations: readonly Operation[], undoOperations: readonly Operation[], rootIds: readonly string[]): void {
    const entry = { doOperations: cloneOperations(doOperations), undoOperations: cloneOperations(undoOperations), rootIds };
    for (const rootId of rootIds) {
      const stack = this.stack(rootId);
      stack.undo = [...stack.undo, entry].slice(-LIMIT);
      if (stack.undone) Object.assign(stack, { redo: [], undone: false });
    }
  }

  peek(rootId: string, side: 'undo' | 'redo'): UndoEntry | undefined {
    return this.stacks.get(rootId)?.[side].at(-1);
  }

  /** The step was undone: off the undo side of all its documents, onto the redo side of the one that asked. */
  undone(entry: UndoEntry, rootId: string): void {
    for (const id of entry.rootIds) {
      const stack = this.stack(id);
      stack.undo = stack.undo.filter((e) => e !== entry);
    }
    const own = this.stack(rootId);
    own.redo = [...own.redo, entry].slice(-LIMIT);
    own.undone = true;
  }

  /** The step was done again. */
  redone(entry: UndoEntry, rootId: string): void {
    const own = this.stack(rootId);
    own.redo = own.redo.filter((e) => e !== entry);
    for (const id of entry.rootIds) this.stack(id).undo.push(entry);
  }

  state(rootId: string): { canUndo: boolean; canRedo: boolean; peekMutatedRootIDs: readonly string[] | null } {
    const top = this.peek(rootId, 'undo');
    return { canUndo: top !== undefined, canRedo: this.peek(rootId, 'redo') !== undefined, peekMutatedRootIDs: top?.rootIds ?? null };
  }

  clear(rootId?: string): void {
    if (rootId === undefined || rootId === '') this.stacks.clear();
    else this.stacks.delete(rootId);
  }
}
