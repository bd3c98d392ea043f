import type { AccessPolicy } from '../../host/access/access-policy.ts';
import { OTHERS } from '../../host/settings/settings-format.ts';
import { both, type NotebookRight } from '../../tools/contract/notebook-right.ts';

/** What a program may do, by notebook; `*`: in all others, which are closed to it by default. */
export type NotebookLevels = Readonly<Record<string, NotebookRight>>;

/** The rights of a program: at most its own, and at most those of the workspace as they are now. */
export function narrowedPolicy(workspace: AccessPolicy, of: NotebookLevels | (() => NotebookLevels)): AccessPolicy {
  const levelsNow = (): NotebookLevels => (typeof of === 'function' ? of() : of);
  const right = (notebook: string): NotebookRight => {
    const levels = levelsNow();
    return both(levels[notebook] ?? levels[OTHERS] ?? 'none', workspace.right(notebook));
  };
  const fixed = (): void => {
    throw new Error('the rights of a program are changed where its token is');
  };
  return {
    right,
    rights: () => {
      const names = new Set([...Object.keys(workspace.rights()), ...Object.keys(levelsNow()), OTHERS]);
      return Object.fromEntries([...names].map((name) => [name, right(name)]));
    },
    setRight: fixed,
    raise: fixed,
    subscribe: (listener) => workspace.subscribe(listener),
  };
}

/** Opens notes once for the same levels; absent: those of the workspace. */
export function onceForLevels<T>(open: (levels: NotebookLevels | undefined) => T): (levels: NotebookLevels | undefined) => T {
  const opened = new Map<string, T>();
  return (levels) => {
    const key = JSON.stringify(levels ?? null);
    const notes = opened.get(key) ?? open(levels);
    opened.set(key, notes);
    return notes;
  };
}
