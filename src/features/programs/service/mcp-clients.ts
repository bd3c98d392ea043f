import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isSameHash, tokenHash } from '../../../desktop/same-token.ts';
import { ServiceError, UsageError } from '../../../service/contract/errors.ts';
import type { ProgramTools, Workspace } from '../../../service/kernel/workspace-types.ts';
import { NOTEBOOK_RIGHTS } from '../../../tools/contract/notebook-right.ts';
import { Listeners } from '../../../tools/util/notify.ts';

const MAX_CLIENTS = 100;

/** What a client may do; never more than the workspace's own rights. */
export const rightsFormat = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('it is empty'), v.maxLength(60), v.description('As it is shown to people')),
  writes: v.pipe(v.optional(v.boolean(), false), v.description('Whether it may propose changes, each of which a person approves')),
  elicitation: v.pipe(
    v.optional(v.boolean(), false),
    v.description('Whether an approval that the client passes on counts: it could also be given by the program itself'),
  ),
  notebooks: v.pipe(
    v.optional(v.record(v.string(), v.picklist(NOTEBOOK_RIGHTS))),
    v.description('The most it may do, by notebook id; `*`: in all others, which are closed by default. Absent: as much as the workspace'),
  ),
  project: v.pipe(
    v.optional(v.string()),
    v.description('The name of a project, or the id of its note: what it allows is the most. Absent: none'),
  ),
});

const savedClient = v.object({ ...rightsFormat.entries, id: v.string(), created: v.string(), hash: v.string() });
const fileFormat = v.object({ schema: v.literal(1), clients: v.array(savedClient) });
type SavedClient = v.InferOutput<typeof savedClient>;

/** A client as its token says. */
export interface McpClient {
  readonly id: string;
  /** Given with its token; absent: it names itself. */
  readonly name?: string;
  readonly writes: boolean;
  readonly mayElicit: boolean;
  readonly tools: ProgramTools;
  readonly project?: ProgramTools['project'];
  /** Whether its token still opens anything. */
  readonly isKnown: () => boolean;
}

export type ClientView = Omit<SavedClient, 'hash'>;

const viewOf = ({ hash: _hash, ...client }: SavedClient): ClientView => client;

/** The clients that have a token of their own, in a file of the service's folder that only its user may read. Tokens are not in it. */
export class McpClients {
  /** Calls back with the id of a client whose token was taken away. */
  readonly removed = new Listeners<[id: string]>();
  private readonly file: string;
  private readonly toolsFor: Workspace['toolsFor'];
  private saved: readonly SavedClient[];
  private readonly open = new Map<string, McpClient>();
  /** Whoever has the service's token. */
  readonly owner: McpClient;

  /** Throws UsageError if the file cannot be read: a mistake in it must not open anything. */
  constructor(folder: string, toolsFor: Workspace['toolsFor']) {
    this.file = join(folder, 'mcp-clients.json');
    this.toolsFor = toolsFor;
    this.owner = { id: 'service', writes: true, mayElicit: true, tools: toolsFor(), isKnown: () => true };
    this.saved = existsSync(this.file) ? this.read() : [];
  }

  list(): readonly ClientView[] {
    return this.saved.map(viewOf);
  }

  /** The client of a token; null if there is none. */
  find(token: string): McpClient | null {
    const hash = tokenHash(token);
    const saved = this.saved.find((client) => isSameHash(client.hash, hash));
    if (!saved) return null;
    const { id, name, writes, elicitation, notebooks, project } = saved;
    const isKnown = (): boolean => this.saved.some((client) => client.id === id);
    const made = (): McpClient => {
      const tools = this.toolsFor(notebooks, project);
      return { id, name, writes, mayElicit: elicitation, tools, isKnown, project: tools.project };
    };
    const known = this.open.get(id) ?? made();
    this.open.set(id, known);
    return known;
  }

  /** Its token is returned here and never again. Throws ServiceError if there are too many. */
  add(rights: v.InferOutput<typeof rightsFormat>): ClientView & { readonly token: string } {
    if (this.saved.length >= MAX_CLIENTS)
      throw new ServiceError(409, 'too_many_clients', `there are ${MAX_CLIENTS} clients already`, 'remove one first');
    const token = `mcp_${randomBytes(24).toString('hex')}`;
    const client = { ...rights, id: randomBytes(6).toString('hex'), created: new Date().toISOString(), hash: tokenHash(token) };
    this.save([...this.saved, client]);
    return { ...viewOf(client), token };
  }

  /** False if there is no such client. */
  remove(id: string): boolean {
    const rest = this.saved.filter((client) => client.id !== id);
    if (rest.length === this.saved.length) return false;
    this.save(rest);
    this.open.delete(id);
    this.removed.call(id);
    return true;
  }

  private read(): readonly SavedClient[] {
    const why = (message: string): UsageError =>
      new UsageError(`bad_clients: ${this.file}: ${message} → correct it, or delete it to take all its tokens away`);
    let parsed: unknown;
    try {
      parsed = JSON.parse(readFileSync(this.file, 'utf8'));
    } catch (error) {
      throw why(error instanceof Error ? error.message : 'it cannot be read');
    }
    const read = v.safeParse(fileFormat, parsed);
    if (!read.success) throw why(`${v.getDotPath(read.issues[0]) ?? 'the file'}: ${read.issues[0].message}`);
    return read.output.clients;
  }

  private save(clients: readonly SavedClient[]): void {
    // Whole or not at all.
    writeFileSync(`${this.file}.new`, `${JSON.stringify({ schema: 1, clients }, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
    this.saved = clients;
  }
}
