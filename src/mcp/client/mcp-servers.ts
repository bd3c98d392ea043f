import { describeThrown, type EventError, toToolError } from '../../tools/contract/errors.ts';
import type { CallTraits, Tool, ToolGroup } from '../../tools/contract/types.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { canonicalJson } from '../../tools/util/plain-value.ts';
import { type ConnectionDeps, McpConnection } from './connection.ts';
import { type ForeignTool, foreignDescription, foreignSchema, foreignToolName } from './foreign-tool.ts';
import type { McpServerConfig } from './server-config.ts';

/** What is known of a server. */
export interface McpServerState {
  readonly name: string;
  readonly tools: number;
  /** Why it cannot be used. */
  readonly failure?: EventError;
  /** The same in a sentence, or tools of it that were left out. */
  readonly problem?: string;
}

interface OpenServer {
  readonly config: McpServerConfig;
  readonly connection: McpConnection;
  group: ToolGroup | undefined;
  failure: EventError | undefined;
  problem: string | undefined;
  /** Its tools are being asked for. */
  listing: Promise<void> | undefined;
  /** They have changed meanwhile. */
  isStale: boolean;
}

export type McpServersDeps = Omit<ConnectionDeps, 'onToolsChanged'>;

/**
 * Its hints can lie: they decide how often it asks, and never that it does not. Arguments leave the machine, or go to a program that may
 * do anything.
 */
function traitsOf({ annotations }: ForeignTool): CallTraits & Pick<Tool, 'leastPolicy'> {
  const executionPolicy = annotations?.readOnlyHint === true ? 'ask-once' : 'ask-always';
  return { permission: { executionPolicy, resultApprovalPolicy: 'never' }, effect: 'outgoing', leastPolicy: 'ask-once' };
}

function toolOf(server: McpServerConfig, connection: McpConnection, tool: ForeignTool): Tool | null {
  const parameters = foreignSchema(tool.inputSchema);
  if (!parameters) return null;
  const name = foreignToolName(server.name, tool.name);
  const destination = server.url ?? `program: ${[server.command, ...(server.args ?? [])].join(' ')}`;
  const isRisky = tool.annotations?.readOnlyHint !== true && tool.annotations?.destructiveHint !== false;
  return {
    ...traitsOf(tool),
    definition: { type: 'function', function: { name, description: foreignDescription(server.name, tool.description), parameters } },
    // What may destroy asks each time.
    approvalScope: isRisky ? undefined : () => server.name,
    outgoing: (args) => ({ url: destination, body: JSON.stringify({ tool: tool.name, arguments: args }) }),
    execute: async (args, { signal, report }) => ({
      status: 'success',
      data: await connection.call({ tool: tool.name, args, signal, onProgress: (message) => report(preview(message, 200)) }),
      isPrivate: true,
    }),
  };
}

/** What a person who allows a tool may rely on. */
const shapeOf = ({ definition, permission, approvalScope }: Tool) => ({ definition, permission, isScoped: approvalScope !== undefined });

/** The tools of other people's servers, a group `mcp:NAME` for each. A server that does not answer has none; nothing waits for it. */
export class McpServers {
  /** Calls back when the groups have changed. */
  readonly changes = new Listeners<[]>();
  private readonly deps: McpServersDeps;
  private readonly open = new Map<string, OpenServer>();

  constructor(deps: McpServersDeps) {
    this.deps = deps;
  }

  /**
   * Connects to servers that are new or changed or did not answer before, and leaves those that are gone. Resolves when each has answered
   * or failed.
   */
  async use(configs: readonly McpServerConfig[]): Promise<void> {
    const wanted = configs.filter(({ enabled }) => enabled);
    for (const [name, { config, connection }] of this.open) {
      if (wanted.some((other) => canonicalJson(other) === canonicalJson(config))) continue;
      this.open.delete(name);
      void connection.close();
    }
    this.changes.call();
    await Promise.all(wanted.map((config) => this.begin(config)));
  }

  groups(): readonly ToolGroup[] {
    return [...this.open.values()].flatMap(({ group }) => (group ? [group] : []));
  }

  states(): readonly McpServerState[] {
    return [...this.open].map(([name, { group, failure, problem }]) => ({
      ...{ name, tools: group?.tools.length ?? 0 },
      ...(failure ? { failure } : {}),
      ...(problem ? { problem } : {}),
    }));
  }

  async close(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    await Promise.all(all.map(({ connection }) => connection.close()));
  }

  private async begin(config: McpServerConfig): Promise<void> {
    const known = this.open.get(config.name);
    if (known) return known.failure ? this.list(known) : known.listing;
    const onToolsChanged = (): void => {
      server.isStale = server.listing !== undefined;
      void this.list(server);
    };
    const server: OpenServer = {
      config,
      connection: new McpConnection(config, { ...this.deps, onToolsChanged }),
      ...{ group: undefined, failure: undefined, problem: undefined, listing: undefined, isStale: false },
    };
    this.open.set(config.name, server);
    await this.list(server);
  }

  private list(server: OpenServer): Promise<void> {
    server.listing ??= this.readTools(server).finally(() => {
      server.listing = undefined;
      // It was left in the meantime.
      if (this.open.get(server.config.name) !== server) return void server.connection.close();
      this.changes.call();
      if (server.isStale) void this.list(server);
      server.isStale = false;
    });
    return server.listing;
  }

  private async readTools(server: OpenServer): Promise<void> {
    const { config, connection } = server;
    try {
      const listed = await connection.tools(NEVER);
      const made = listed.map((tool) => toolOf(config, connection, tool)).filter((tool) => tool !== null);
      const names = made.map(({ definition }) => definition.function.name);
      const tools = made.filter((_tool, at) => names.indexOf(names[at] ?? '') === at);
      // What was allowed for its tools is asked again only where they are others.
      if (!server.group || canonicalJson(server.group.tools.map(shapeOf)) !== canonicalJson(tools.map(shapeOf)))
        server.group = { name: `mcp:${config.name}`, tools };
      const left = listed.length - tools.length;
      server.failure = undefined;
      server.problem =
        left === 0 ? undefined : `${left} tools are left out: their schema is too large or leads in a circle, or their name is taken`;
    } catch (error) {
      const { code, message, next } = toToolError(error, 'site_unreachable');
      server.failure = { code, message, next };
      server.problem = preview(describeThrown(error), 300);
    }
  }
}
