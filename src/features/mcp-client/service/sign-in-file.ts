import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { UsageError } from '../../../service/contract/errors.ts';
import { describeThrown, ToolError } from '../../../tools/contract/errors.ts';
import type { McpServerConfig } from '../server-config.ts';
import { readSignIn, type SignInStore } from '../sign-in/sign-in-format.ts';

const fileFormat = v.object({ schema: v.literal(1), signIns: v.record(v.string(), v.unknown()) });

/** Logins at servers of other people, by their names, in a file of the service's folder that only its user may read. */
export class SignInFile {
  private readonly file: string;
  private saved: Readonly<Record<string, unknown>>;

  /** Throws UsageError if the file cannot be read: the next login would overwrite the others. */
  constructor(folder: string) {
    this.file = join(folder, 'mcp-sign-ins.json');
    this.saved = existsSync(this.file) ? this.read() : {};
  }

  storeOf({ name, url = '' }: McpServerConfig): SignInStore {
    const key = name.toLowerCase();
    return {
      read: () => readSignIn(this.saved[key], url),
      write: (signIn) => {
        const { [key]: _before, ...others } = this.saved;
        this.save(signIn ? { ...others, [key]: signIn } : others);
      },
    };
  }

  /** What is wrong with it is said without its text, which is secret. */
  private read(): Readonly<Record<string, unknown>> {
    try {
      return v.parse(fileFormat, JSON.parse(readFileSync(this.file, 'utf8'))).signIns;
    } catch {
      throw new UsageError(`bad_sign_ins: ${this.file} cannot be read → correct it, or delete it and sign in to the servers again`);
    }
  }

  private save(signIns: Readonly<Record<string, unknown>>): void {
    // Whole or not at all.
    try {
      writeFileSync(`${this.file}.new`, `${JSON.stringify({ schema: 1, signIns }, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${this.file}.new`, this.file);
    } catch (error) {
      throw new ToolError('storage_full', `${this.file} could not be written: ${describeThrown(error)}`, 'make room, and sign in again');
    }
    this.saved = signIns;
  }
}
