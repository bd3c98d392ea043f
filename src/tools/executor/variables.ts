import { ToolError } from '../contract/errors.ts';
import type { Clock } from '../contract/ports.ts';
import type { Variable, VariableType } from '../contract/variable.ts';
import { nearNames } from '../util/near-names.ts';

export type VariableExtras = Pick<Variable, 'desc' | 'notebooks' | 'sources' | 'node' | 'pinned' | 'isPrivate'>;

export interface VariableSystemOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly maxEntries?: number;
  /** Two bytes a UTF-16 unit: an upper bound of what an engine keeps. */
  readonly maxBytes?: number;
}

const MAX_ENTRIES = 1000;
const MAX_BYTES = 32 * 1024 * 1024;
const NAME = /^[\p{L}\p{M}\p{N}_\-/.]{1,200}$/u;

export const isVariableName = (name: string): boolean => NAME.test(name);

/** Values of one session, evicted least recently used first; `RULE` and pinned ones stay. */
export class VariableSystem {
  /** In order of use: the first is evicted next. */
  private readonly entries = new Map<string, Variable>();
  private bytes = 0;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly maxEntries: number;
  private readonly maxBytes: number;

  constructor(options: VariableSystemOptions) {
    this.clock = options.clock;
    this.maxEntries = options.maxEntries ?? MAX_ENTRIES;
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  /** Throws ToolError `bad_name`, `protected_variable` (a RULE), `too_large` or `variables_full`. */
  addVariable(name: string, value: string, type: VariableType, extras: VariableExtras = {}): Variable {
    if (!NAME.test(name)) {
      throw new ToolError('bad_name', `"${name.slice(0, 80)}" is not a variable name`, 'use letters, digits and _ - / . only');
    }
    if (type !== 'RULE' && this.entries.get(name)?.type === 'RULE') {
      throw new ToolError('protected_variable', `"${name}" is a rule and stays as it is`, 'choose another name');
    }
    const variable: Variable = { name, type, value, created: this.clock.now(), ...definedExtras(extras) };
    this.put(variable);
    return variable;
  }

  /** Reading counts as use. */
  getVariable(name: string): Variable | undefined {
    const variable = this.entries.get(name);
    if (variable !== undefined) {
      this.entries.delete(name);
      this.entries.set(name, variable);
    }
    return variable;
  }

  hasVariable(name: string): boolean {
    return this.entries.has(name);
  }

  /** Rules cannot be removed; false if there was nothing to remove. */
  removeVariable(name: string): boolean {
    const variable = this.entries.get(name);
    if (variable === undefined || variable.type === 'RULE') return false;
    this.drop(variable);
    return true;
  }

  /** For a group that could not be registered: only the code that added rules may remove them. */
  dropRules(names: readonly string[]): void {
    for (const name of names) {
      const variable = this.entries.get(name);
      if (variable?.type === 'RULE') this.drop(variable);
    }
  }

  setPinned(name: string, pinned: boolean): void {
    const variable = this.entries.get(name);
    if (variable !== undefined) this.entries.set(name, { ...variable, pinned });
  }

  /** Newest first, as ListVars shows them; does not count as use. */
  listVariables(): readonly Variable[] {
    return [...this.entries.values()].sort((left, right) => right.created - left.created);
  }

  /** A name that is still free: `base`, `base_2`, … for call ids that a provider uses twice. */
  freeName(base: string): string {
    const clean = base.replaceAll(/[^\p{L}\p{M}\p{N}_\-/.]/gu, '_').slice(0, 180);
    let name = clean;
    for (let count = 2; this.entries.has(name); count++) name = `${clean}_${count}`;
    return name;
  }

  near(name: string): readonly string[] {
    return nearNames(name, [...this.entries.keys()]);
  }

  size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.entries.size, bytes: this.bytes };
  }

  /** In order of use. Without rules: they belong to the tool groups, not to the chat. */
  save(): readonly Variable[] {
    return [...this.entries.values()].filter((variable) => variable.type !== 'RULE');
  }

  /** Replaces everything except rules. Saved rules are ignored: somebody else's document must not introduce rules. */
  restore(saved: readonly Variable[]): void {
    this.clear();
    for (const variable of saved) {
      if (variable.type === 'RULE' || !NAME.test(variable.name) || this.entries.get(variable.name)?.type === 'RULE') continue;
      if (sizeOf(variable) <= this.maxBytes) this.put(variable);
    }
  }

  clear(): void {
    for (const variable of [...this.entries.values()]) if (variable.type !== 'RULE') this.drop(variable);
  }

  private put(variable: Variable): void {
    const existing = this.entries.get(variable.name);
    const size = sizeOf(variable);
    if (size > this.maxBytes) {
      throw new ToolError('too_large', `"${variable.name}" has ${variable.value.length} characters`, 'keep a shorter part of it');
    }
    const evicted = this.makeRoom(variable.name, size, existing);
    for (const entry of evicted) this.drop(entry);
    this.entries.set(variable.name, variable);
    this.bytes += size;
  }

  /** Evicts for a value of `size` bytes, decided before anything is dropped. */
  private makeRoom(name: string, size: number, existing: Variable | undefined): readonly Variable[] {
    const going: Variable[] = existing === undefined ? [] : [existing];
    let bytes = this.bytes + size - (existing === undefined ? 0 : sizeOf(existing));
    const oldestFirst = this.entries.values();
    while (bytes > this.maxBytes || this.entries.size - going.length + 1 > this.maxEntries) {
      const { value: oldest, done } = oldestFirst.next();
      if (done === true) {
        throw new ToolError('variables_full', 'pinned variables and rules take up all the room', 'ask the user to unpin or remove some');
      }
      if (oldest.name === name || oldest.type === 'RULE' || oldest.pinned === true) continue;
      going.push(oldest);
      bytes -= sizeOf(oldest);
    }
    return going;
  }

  private drop(variable: Variable): void {
    if (this.entries.delete(variable.name)) this.bytes -= sizeOf(variable);
  }
}

function sizeOf(variable: Variable): number {
  return 2 * (variable.name.length + variable.value.length + (variable.desc?.length ?? 0));
}

function definedExtras(extras: VariableExtras): VariableExtras {
  return {
    desc: extras.desc,
    notebooks: extras.notebooks === undefined || extras.notebooks.length === 0 ? undefined : [...new Set(extras.notebooks)],
    sources: extras.sources === undefined || extras.sources.length === 0 ? undefined : extras.sources,
    node: extras.node,
    pinned: extras.pinned,
    isPrivate: extras.isPrivate,
  };
}
