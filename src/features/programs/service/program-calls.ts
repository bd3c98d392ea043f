import { ClientCalls, type ClientCallsDeps, nameOf } from './client-calls.ts';
import type { McpClient } from './mcp-clients.ts';

/** Clients whose calls are remembered at a time. */
const MAX_NAMES = 200;

/** The calls of all clients. Those of one client and one name belong together, over connections and requests without one. */
export class ProgramCalls {
  private readonly deps: ClientCallsDeps;
  private readonly byClient = new Map<string, ClientCalls>();

  constructor(deps: ClientCallsDeps) {
    this.deps = deps;
  }

  of(client: McpClient, givenName: string): ClientCalls {
    const name = client.name ?? nameOf(givenName);
    const key = `${client.id} ${name}`;
    const known = this.byClient.get(key) ?? new ClientCalls(this.deps, client, name);
    // The last used one is the last to go.
    this.byClient.delete(key);
    this.byClient.set(key, known);
    for (const [old, calls] of this.byClient) if (this.byClient.size > MAX_NAMES && calls.isIdle) this.byClient.delete(old);
    return known;
  }

  /** Its pending changes are withdrawn. */
  forget(clientId: string): void {
    for (const [key, calls] of this.byClient) {
      if (!key.startsWith(`${clientId} `)) continue;
      calls.withdrawAll();
      this.byClient.delete(key);
    }
  }
}
