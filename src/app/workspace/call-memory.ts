/** `tools`: its server refuses native calls; `stop`: it refuses stop sequences; `told`: the person was shown that calls are text. */
type LearntOfCalls = 'tools' | 'stop' | 'told';
const ALL: readonly LearntOfCalls[] = ['tools', 'stop', 'told'];

/**
 * What is learned about how models call tools, by provider and model; stored on the device. A refusal counts once two turns had it: one
 * odd answer proves nothing.
 */
export interface CallMemory {
  has(what: LearntOfCalls, key: string): boolean;
  /** The server itself says so, in the data that it publishes about the model. */
  isStated(what: LearntOfCalls, key: string): boolean;
  /** One piece of evidence; those of one turn are one. */
  note(what: LearntOfCalls, key: string, turn: object): void;
  /** The server accepted it after all: evidence that does not count yet is dropped. */
  accept(what: LearntOfCalls, key: string): void;
  /** What the server publishes counts at once; if it lists the ability, an earlier statement is withdrawn. */
  state(what: LearntOfCalls, key: string, isMissing: boolean): void;
  /** For one model, or, without a key, for all. */
  forget(key?: string): void;
}

/** Texts by key: a Map or the browser's storage. */
export interface CallEvidence {
  get(key: string): string | undefined;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  clear(): void;
}

const STATED = 'stated';
const needed = (what: LearntOfCalls): number => (what === 'told' ? 1 : 2);

/** Without a store: as long as the program runs. */
export function callMemory(kept: CallEvidence = new Map()): CallMemory {
  const counted = new WeakMap<object, Set<string>>();
  const at = (what: LearntOfCalls, key: string): string => `${what}:${key}`;
  const isStated = (what: LearntOfCalls, key: string): boolean => kept.get(at(what, key)) === STATED;
  const count = (what: LearntOfCalls, key: string): number => Number(kept.get(at(what, key)) ?? 0) || 0;
  const has = (what: LearntOfCalls, key: string): boolean => isStated(what, key) || count(what, key) >= needed(what);
  return {
    has,
    isStated,
    note(what, key, turn) {
      const ofTurn = counted.get(turn) ?? new Set();
      if (has(what, key) || ofTurn.has(at(what, key))) return;
      counted.set(turn, ofTurn.add(at(what, key)));
      kept.set(at(what, key), String(count(what, key) + 1));
    },
    accept(what, key) {
      if (!has(what, key) && count(what, key) > 0) kept.delete(at(what, key));
    },
    state(what, key, isMissing) {
      if (isMissing) kept.set(at(what, key), STATED);
      else if (isStated(what, key)) kept.delete(at(what, key));
    },
    forget(key) {
      if (key === undefined) return kept.clear();
      for (const what of ALL) kept.delete(at(what, key));
    },
  };
}
