/** What SiYuan 3.8 lets its own agent call of a plugin, by what its sources say; nothing of it was measured. */
export interface AgentCapability {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly effects?: Readonly<Record<string, boolean>>;
  readonly handler: (args: unknown, app: unknown) => Promise<{ result?: string; error?: string }>;
}

/** By id. There is no agent here: tests call what is in it. */
export const agentCapabilities = new Map<string, AgentCapability>();

const prefixOf = (plugin: string): string => `plugin/frontend/${encodeURIComponent(plugin)}/`;

/** The same id again is passed over, and nothing takes back a single one. */
export function addCapability(plugin: string, options: AgentCapability): string {
  if (options.name === '' || options.description === '') throw new Error('a capability needs a name and a description');
  const id = `${prefixOf(plugin)}${encodeURIComponent(options.name)}`;
  if (id.length > 512) throw new Error('the id of a capability is too long');
  if (!agentCapabilities.has(id)) agentCapabilities.set(id, options);
  return id;
}

/** The plugin has ended. */
export function removeCapabilities(plugin: string): void {
  for (const id of agentCapabilities.keys()) if (id.startsWith(prefixOf(plugin))) agentCapabilities.delete(id);
}
