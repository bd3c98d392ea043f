import type { SavedVariable } from '../session/types.ts';
import type { ChatStorage } from './storage-port.ts';

/** Longer values have their own files: the session file is written after every turn, a value only once. In UTF-16 units. */
const INLINE_CHARACTERS = 16_384;

const folder = (sessionId: string): string => `variables/${sessionId}`;

/** A name may contain any letter, `/` and dots; a file name must not. The time distinguishes two values with one name. */
function fileName({ name, created }: SavedVariable): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80);
  let hash = 0;
  for (const unit of name) hash = (Math.imul(hash, 31) + (unit.codePointAt(0) ?? 0)) >>> 0;
  const suffix = plain === name ? '' : `-${hash.toString(36)}`;
  return `${plain}${suffix}-${created.toString(36)}.txt`;
}

export class VariableFiles {
  private readonly storage: ChatStorage;
  private readonly files = new WeakMap<SavedVariable, string>();

  constructor(storage: ChatStorage) {
    this.storage = storage;
  }

  /** The variables as they are saved; long values without a file are written. Rejects like the storage. */
  async put(sessionId: string, variables: readonly SavedVariable[]): Promise<readonly SavedVariable[]> {
    const saved: SavedVariable[] = [];
    for (const variable of variables) {
      if (variable.value.length <= INLINE_CHARACTERS) {
        saved.push(variable);
        continue;
      }
      const file = this.files.get(variable) ?? fileName(variable);
      if (!this.files.has(variable)) await this.storage.write(`${folder(sessionId)}/${file}`, variable.value);
      this.files.set(variable, file);
      saved.push({ ...variable, value: '', file });
    }
    return saved;
  }

  /** The variables with their values. One whose file is gone is left out and named: half a value would pass for the whole. */
  async fill(
    sessionId: string,
    saved: readonly SavedVariable[],
  ): Promise<{ readonly variables: readonly SavedVariable[]; readonly missing: readonly string[] }> {
    const missing: string[] = [];
    const filled = await Promise.all(
      saved.map(async (variable): Promise<readonly SavedVariable[]> => {
        const { file, ...rest } = variable;
        if (file === undefined) return [variable];
        const value = /^[\w-]+\.txt$/.test(file) ? await this.storage.read(`${folder(sessionId)}/${file}`) : null;
        if (value === null) {
          missing.push(variable.name);
          return [];
        }
        const whole = { ...rest, value };
        this.files.set(whole, file);
        return [whole];
      }),
    );
    return { variables: filled.flat(), missing };
  }
}
