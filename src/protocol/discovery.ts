import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { ListedTool } from '../tools/executor/executor.ts';
import { canonicalJson } from '../tools/util/plain-value.ts';
import { byGroup } from './by-group.ts';
import type { DefinedMethod, ToolCallingProtocol, ToolDefinitionInput } from './contract.ts';

/** What discovery needs of an executor. */
export interface DiscoverySource {
  /** A new number after each change to what may be called. */
  readonly registryVersion: number;
  listTools(): readonly ListedTool[];
}

/** A tool, and whether the model may call it now. */
interface DiscoveredMethod extends DefinedMethod {
  /** Its group. */
  readonly toolId: string;
  readonly agentCallable: boolean;
}

export interface DiscoveredTool extends ToolDefinitionInput {
  readonly methods: readonly DiscoveredMethod[];
}

type Toggles = Pick<ToolCallConfig, 'toolToggles' | 'methodToggles' | 'defaultToolEnabled'>;

export type MethodFilter = (method: DiscoveredMethod) => boolean;

interface PromptOptions {
  readonly config: ToolCallConfig;
  /** Whose prompt it is; default: nobody's in particular. */
  readonly agentId?: string;
  readonly protocol: ToolCallingProtocol;
}

export interface ToolDiscovery {
  /** By group and name. Default: what the model may call; a filter decides about every tool instead. Groups without tools are left out. */
  getDiscoveredMethods(filter?: MethodFilter): readonly DiscoveredTool[];
  /** What a model is told about its tools, '' if it has none. Built once for each protocol, agent, configuration and state of the registry. */
  generatePrompt(options: PromptOptions): string;
  invalidateCache(): void;
}

/** How many prompts are kept: one for each differently configured chat. */
const MAX_KEPT = 32;

export function createToolDiscovery(source: DiscoverySource): ToolDiscovery {
  const kept = new Map<string, string>();
  let keptOf = source.registryVersion;
  const getDiscoveredMethods = (filter: MethodFilter = ({ agentCallable }) => agentCallable): readonly DiscoveredTool[] =>
    grouped(source.listTools().map(methodOf).filter(filter));
  return {
    getDiscoveredMethods,
    generatePrompt({ config, agentId = '', protocol }) {
      if (source.registryVersion !== keptOf) kept.clear();
      keptOf = source.registryVersion;
      const key = canonicalJson([
        protocol.id,
        agentId,
        config.enabled,
        config.toolToggles,
        config.methodToggles,
        config.defaultToolEnabled,
      ]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const prompt = promptOf(source, config, protocol);
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(key, prompt);
      return prompt;
    },
    invalidateCache: () => kept.clear(),
  };
}

function promptOf(source: DiscoverySource, config: ToolCallConfig, protocol: ToolCallingProtocol): string {
  const tools = enabledTools(source, config);
  return tools.length === 0 ? '' : protocol.generateToolDefinitions(grouped(tools.map(methodOf)));
}

/** What may currently be called and is not switched off by this configuration. */
export function enabledTools(source: DiscoverySource, config: ToolCallConfig): readonly ListedTool[] {
  if (!config.enabled) return [];
  return source.listTools().filter((tool) => tool.isCallable && isEnabled(tool, config));
}

/** Names of the tools that this configuration switches off, even if the executor has them on. */
export function switchedOff(source: DiscoverySource, config: Toggles): ReadonlySet<string> {
  return new Set(source.listTools().flatMap((tool) => (isEnabled(tool, config) ? [] : [tool.definition.function.name])));
}

function isEnabled({ group, isInjected, definition }: ListedTool, config: Toggles): boolean {
  const isGroupOn = config.toolToggles[group] ?? config.defaultToolEnabled;
  return (isGroupOn || isInjected) && config.methodToggles[definition.function.name] !== false;
}

/** Every registered tool, callable or not: what a name in a request may refer to. */
export function allTools(source: DiscoverySource): readonly DiscoveredTool[] {
  return grouped(source.listTools().map(methodOf));
}

function methodOf({ group, definition, isCallable, command }: ListedTool): DiscoveredMethod {
  return { toolId: group, definition, agentCallable: isCallable, ...(command === undefined ? {} : { command }) };
}

const grouped = (methods: readonly DiscoveredMethod[]): readonly DiscoveredTool[] =>
  byGroup(methods.map((method) => [method.toolId, method] as const));
