import type { ChatProject } from '../../../chat/session/chat-project.ts';
import type { NotedCalls } from './noted-calls.ts';

/** Clients whose calls are remembered at a time. */
const MAX_NAMES = 200;

/** A name for people: what it was given, without what a line cannot show. */
function nameOf(given: string): string {
  const name = given
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 60);
  return name === '' ? 'MCP client' : name;
}

/** What the calls of a client are known by. */
export interface NamedClient {
  readonly id: string;
  /** Given with its token; absent: it names itself. */
  readonly name?: string;
  /** That it keeps to. */
  readonly project?: Pick<ChatProject, 'read' | 'instructions'> | undefined;
}

/** The calls of all clients. Those of one client and one name belong together, over connections and requests without one. */
export class ProgramCalls<Client extends NamedClient> {
  private readonly make: (client: Client, name: string) => NotedCalls;
  private readonly byClient = new Map<string, NotedCalls>();

  constructor(make: (client: Client, name: string) => NotedCalls) {
    this.make = make;
  }

  of(client: Client, givenName: string): NotedCalls {
    const name = client.name ?? nameOf(givenName);
    const key = `${client.id} ${name}`;
    const known = this.byClient.get(key) ?? this.make(client, name);
    // The last used one is the last to go.
    this.byClient.delete(key);
    this.byClient.set(key, known);
    for (const [old, calls] of this.byClient) if (this.byClient.size > MAX_NAMES && calls.isIdle) this.drop(old, calls);
    return known;
  }

  /** Its pending changes are withdrawn. */
  forget(clientId: string): void {
    for (const [key, calls] of this.byClient) if (key.startsWith(`${clientId} `)) this.drop(key, calls);
  }

  private drop(key: string, calls: NotedCalls): void {
    this.byClient.delete(key);
    calls.close();
  }
}
