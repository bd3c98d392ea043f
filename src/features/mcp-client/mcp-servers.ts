import { describeThrown, type EventError, ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { CallTraits, Tool, ToolGroup } from '../../tools/contract/types.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { inBackground, Listeners } from '../../tools/util/notify.ts';
import { canonicalJson } from '../../tools/util/plain-value.ts';
import { type ConnectionDeps, McpConnection } from './connection.ts';
import { type ForeignOffer, ForeignOffers } from './foreign-offers.ts';
import { type ForeignTool, foreignDescription, foreignSchema, foreignToolNames, MAX_TOOLS } from './foreign-tool.ts';
import { destinationOf, type McpServerConfig } from './server-config.ts';
import { ServerSignIn, type SignInDeps } from './sign-in/server-sign-in.ts';
import type { SignInView, TypedClient } from './sign-in/sign-in.ts';
import type { TakenOffer } from './taken-offer.ts';

/** What is known of a server. */
export interface McpServerState {
  readonly name: string;
  readonly tools: number;
  /** It has neither answered nor failed yet. */
  readonly isLoading?: boolean;
  /** Why it cannot be used. */
  readonly failure?: EventError;
  /** The same in a sentence, or tools of it that were left out. */
  readonly problem?: string;
  /** Absent where a login is none of its ways in. */
  readonly signIn?: SignInView;
}

interface OpenServer {
  readonly config: McpServerConfig;
  readonly connection: McpConnection;
  readonly signIn: ServerSignIn | undefined;
  readonly offers: ForeignOffers;
  group: ToolGroup | undefined;
  failure: EventError | undefined;
  problem: string | undefined;
  /** Its tools are being asked for. */
  listing: Promise<void> | undefined;
  /** They have changed meanwhile. */
  isStale: boolean;
}

export interface McpServersDeps extends Omit<ConnectionDeps, 'onToolsChanged' | 'onOffersChanged' | 'signIn'> {
  /** Absent: nobody can sign in here. */
  readonly signInFor?: ((config: McpServerConfig) => SignInDeps) | undefined;
}

/** A server with a key of its own is asked with that alone. */
const hasKey = ({ headers }: McpServerConfig): boolean => Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');

/**
 * Its hints can lie: they decide how often it asks, and never that it does not. Arguments leave the machine, or go to a program that may
 * do anything.
 */
function traitsOf({ annotations }: ForeignTool): CallTraits & Pick<Tool, 'leastPolicy'> {
  const executionPolicy = annotations?.readOnlyHint === true ? 'ask-once' : 'ask-always';
  return { permission: { executionPolicy, resultApprovalPolicy: 'never' }, effect: 'outgoing', leastPolicy: 'ask-once' };
}

function toolOf(server: McpServerConfig, connection: McpConnection, tool: ForeignTool, name: string): Tool | null {
  const parameters = foreignSchema(tool.inputSchema);
  if (!parameters || tool.name === '') return null;
  const isRisky = tool.annotations?.readOnlyHint !== true && tool.annotations?.destructiveHint !== false;
  return {
    ...traitsOf(tool),
    isForeign: true,
    definition: { type: 'function', function: { name, description: foreignDescription(server.name, tool.description), parameters } },
    // What may destroy asks each time.
    approvalScope: isRisky ? undefined : () => server.name,
    outgoing: (args) => ({ url: destinationOf(server), body: JSON.stringify({ tool: tool.name, arguments: args }) }),
    execute: async (args, { signal, report, askForm }) => ({
      status: 'success',
      data: await connection.call({ tool: tool.name, args, signal, askForm, onProgress: (message) => report(preview(message, 200)) }),
      isPrivate: true,
    }),
  };
}

function leftOut(rest: number, unusable: number): string | undefined {
  const lines = [
    ...(rest === 0 ? [] : [`${rest} tools are left out: more than ${MAX_TOOLS} of a server are not offered`]),
    ...(unusable === 0
      ? []
      : [`${unusable} tools are left out: their schema is none, is too large or leads in a circle, or their name is taken`]),
  ];
  return lines.length === 0 ? undefined : lines.join('; ');
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
    for (const [name, { config, connection, signIn }] of this.open) {
      if (wanted.some((other) => canonicalJson(other) === canonicalJson(config))) continue;
      this.open.delete(name);
      signIn?.cancel();
      inBackground(connection.close());
    }
    this.changes.call();
    await Promise.all(wanted.map((config) => this.begin(config)));
  }

  groups(): readonly ToolGroup[] {
    return [...this.open.values()].flatMap(({ group }) => (group ? [group] : []));
  }

  states(): readonly McpServerState[] {
    return [...this.open].map(([name, { group, failure, problem, signIn }]) => ({
      ...{ name, tools: group?.tools.length ?? 0 },
      ...(group || failure ? {} : { isLoading: true }),
      ...(failure ? { failure } : {}),
      ...(problem ? { problem } : {}),
      ...(signIn ? { signIn: signIn.view(failure?.code === 'mcp_sign_in') } : {}),
    }));
  }

  /** Begins a login, and resolves with its address; without one, the view says why. `client`: made by hand at the login's server. */
  async signIn(name: string, client?: TypedClient): Promise<string | undefined> {
    const signIn = this.open.get(name)?.signIn;
    await signIn?.begin(client);
    return signIn?.view(true).address;
  }

  /** `text`: what the browser came back with. */
  async finishSignIn(name: string, text: string): Promise<void> {
    await this.open.get(name)?.signIn?.finish(text);
  }

  cancelSignIn(name: string): void {
    this.open.get(name)?.signIn?.cancel();
  }

  async signOut(name: string): Promise<void> {
    await this.open.get(name)?.signIn?.signOut();
  }

  /** What a server has besides tools. Rejects with ToolError where it does not say. */
  async offers(name: string): Promise<readonly ForeignOffer[]> {
    return this.known(name).offers.list();
  }

  /** Reads one of these for a question. Rejects with ToolError. */
  async take(
    name: string,
    offer: Pick<ForeignOffer, 'kind' | 'id'>,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<TakenOffer> {
    return this.known(name).offers.take(offer, values, signal);
  }

  async close(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    for (const { signIn } of all) signIn?.cancel();
    await Promise.all(all.map(({ connection }) => connection.close()));
  }

  private known(name: string): OpenServer {
    const server = this.open.get(name);
    if (!server) throw new ToolError('mcp_unreachable', `the MCP server “${name}” is off or gone`, 'go on without it');
    return server;
  }

  private async begin(config: McpServerConfig): Promise<void> {
    const known = this.open.get(config.name);
    if (known) return known.failure ? this.list(known) : known.listing;
    const onToolsChanged = (): void => {
      server.isStale = server.listing !== undefined;
      inBackground(this.list(server));
    };
    const signIn = this.signInOf(config, () => this.listAnew(server));
    const connection = new McpConnection(config, { ...this.deps, signIn, onToolsChanged, onOffersChanged: () => server.offers.forget() });
    const server: OpenServer = {
      ...{ config, signIn, connection, offers: new ForeignOffers(connection) },
      ...{ group: undefined, failure: undefined, problem: undefined, listing: undefined, isStale: false },
    };
    this.open.set(config.name, server);
    await this.list(server);
  }

  private signInOf(config: McpServerConfig, onTokens: () => Promise<void>): ServerSignIn | undefined {
    const { signInFor } = this.deps;
    if (!signInFor || config.url === undefined || hasKey(config)) return undefined;
    return new ServerSignIn(config.url, signInFor(config), { tokens: onTokens, change: () => this.changes.call() });
  }

  /** After a login or its end: another connection, which knows of no tools yet. */
  private async listAnew(server: OpenServer): Promise<void> {
    await server.listing;
    await server.connection.close();
    server.group = undefined;
    server.failure = undefined;
    server.problem = undefined;
    this.changes.call();
    await this.list(server);
  }

  private list(server: OpenServer): Promise<void> {
    server.listing ??= this.readTools(server).finally(() => {
      server.listing = undefined;
      // It was left in the meantime.
      if (this.open.get(server.config.name) !== server) return inBackground(server.connection.close());
      this.changes.call();
      if (server.isStale) inBackground(this.list(server));
      server.isStale = false;
    });
    return server.listing;
  }

  private async readTools(server: OpenServer): Promise<void> {
    const { config, connection } = server;
    try {
      const listed = await connection.tools(NEVER);
      const names = foreignToolNames(
        config.name,
        listed.map(({ name }) => name),
      );
      const made = listed.map((tool, at) =>
        names.indexOf(names[at] ?? '') === at ? toolOf(config, connection, tool, names[at] ?? '') : null,
      );
      const usable = made.filter((tool) => tool !== null);
      const tools = usable.slice(0, MAX_TOOLS);
      const rest = usable.length - tools.length;
      const rulePrompt =
        rest === 0 ? '' : `This server has ${rest} more tools, which are not offered here: tell the user if one is missing.`;
      // What was allowed for its tools is asked again only where they are others.
      const known = server.group;
      if (!known || known.rulePrompt !== rulePrompt || canonicalJson(known.tools.map(shapeOf)) !== canonicalJson(tools.map(shapeOf)))
        server.group = { name: `mcp:${config.name}`, tools, rulePrompt };
      server.failure = undefined;
      server.problem = leftOut(rest, listed.length - usable.length);
    } catch (error) {
      const { code, message, next } = toToolError(error, 'site_unreachable');
      server.failure = { code, message, next };
      server.problem = preview(describeThrown(error), 300);
    }
  }
}
