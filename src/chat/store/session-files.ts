import { ToolError } from '../../tools/contract/errors.ts';
import { keepBroken } from '../../tools/util/broken-copy.ts';
import { prepareTexts, readSession, writeSession } from '../session/saved-format.ts';
import type { Session } from '../session/types.ts';
import type { ChatStorage } from './storage-port.ts';
import type { VariableFiles } from './variable-files.ts';

/** `newer`: from a later version; `session` is present if it can still be shown. `broken`: a copy was set aside, and `error` says so. */
export type SessionFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly error: ToolError }
  | { readonly kind: 'newer'; readonly text: string; readonly session: Session | null }
  | SoundFile;
export interface SoundFile {
  readonly kind: 'ok';
  readonly text: string;
  readonly session: Session;
  readonly missingVariables: readonly string[];
}

export const pathOf = (id: string): string => `sessions/${id}.json`;
/** Ids become file names: they may not leave the folder or be the index's name. */
export const isSafeId = (id: string): boolean => /^[\w-]{1,80}$/.test(id) && !id.startsWith('index');

export const CANNOT_SHOW = new ToolError('chat_newer', 'this chat was written by a newer version', 'update the plugin on this device');

export class SessionFiles {
  private readonly storage: ChatStorage;
  private readonly variables: VariableFiles;
  private readonly now: () => number;

  constructor(storage: ChatStorage, variables: VariableFiles, now: () => number) {
    this.storage = storage;
    this.variables = variables;
    this.now = now;
  }

  async read(id: string): Promise<SessionFile> {
    const text = await this.storage.read(pathOf(id));
    return text === null ? { kind: 'missing' } : this.parse(id, text);
  }

  async parse(id: string, text: string): Promise<SessionFile> {
    const read = readSession(text);
    if (read.kind === 'broken') return { kind: 'broken', error: await this.putAside(id, text, read.reason) };
    if (!read.session) return { kind: 'newer', text, session: null };
    const { variables, missing } = await this.variables.fill(id, read.session.variables);
    // The file's name wins: there may be another chat with the id in its text.
    const session = { ...read.session, id, variables };
    return read.kind === 'newer' ? { kind: 'newer', text, session } : { kind: 'ok', text, session, missingVariables: missing };
  }

  async write(session: Session): Promise<string> {
    const variables = await this.variables.put(session.id, session.variables);
    await prepareTexts(session);
    const text = writeSession({ ...session, variables });
    await this.storage.write(pathOf(session.id), text);
    return text;
  }

  /** Sets the same text aside only once: the user may repair it by hand. */
  private async putAside(id: string, text: string, reason: string): Promise<ToolError> {
    await keepBroken(this.storage, pathOf(id), text, this.now());
    return new ToolError(
      'chat_broken',
      `the file of this chat cannot be read (${reason})`,
      'a copy was put beside it; open another chat, or restore the file from a snapshot',
    );
  }
}
