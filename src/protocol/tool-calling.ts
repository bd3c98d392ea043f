import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { ToolCallingProtocol, ToolExecutionResult } from './contract.ts';
import { formatResultsForContext, processToolCallCycle, protocolById, type ToolCallCycleResult } from './cycle.ts';
import { createToolDiscovery, type DiscoveredTool, enabledTools, type MethodFilter } from './discovery.ts';
import type { ExecuteRequestsOptions } from './execute-requests.ts';

/** Tool calls in text, for whoever talks to a model: everything that is needed, bound to one executor. */
export interface ToolCalling {
  processCycle(
    text: string,
    config: ToolCallConfig,
    onBeforeExecute?: ExecuteRequestsOptions['onBeforeExecute'],
  ): Promise<ToolCallCycleResult>;
  /** Throws ToolError where there is no such protocol. Default: VCP. */
  formatCycleResults(results: readonly ToolExecutionResult[], protocolId?: string): string;
  generateToolsPrompt(config: ToolCallConfig, agentId?: string): string;
  getDiscoveredMethods(filter?: MethodFilter): readonly DiscoveredTool[];
  invalidateDiscoveryCache(): void;
  /** Whether a model with this configuration has any tool. */
  hasToolCallingEnabled(config: ToolCallConfig): boolean;
}

export type ToolCallingParts = Omit<ExecuteRequestsOptions, 'config' | 'onBeforeExecute'>;

const DEFAULT_PROTOCOL = 'vcp';

/** The protocol that calls are written in where they are text. */
export function textProtocolOf(choice: ToolCallConfig['protocol']): ToolCallingProtocol {
  return protocolById(choice === 'auto' || choice === 'native' ? DEFAULT_PROTOCOL : choice);
}

export function createToolCalling(parts: ToolCallingParts): ToolCalling {
  const { executor } = parts;
  const discovery = createToolDiscovery(executor);
  return {
    processCycle: (text, config, onBeforeExecute) =>
      processToolCallCycle(text, {
        ...parts,
        config,
        protocol: textProtocolOf(config.protocol),
        ...(onBeforeExecute ? { onBeforeExecute } : {}),
      }),
    formatCycleResults: (results, protocolId = DEFAULT_PROTOCOL) => formatResultsForContext(results, protocolId),
    generateToolsPrompt: (config, agentId) =>
      discovery.generatePrompt({ config, protocol: textProtocolOf(config.protocol), ...(agentId === undefined ? {} : { agentId }) }),
    getDiscoveredMethods: (filter) => discovery.getDiscoveredMethods(filter),
    invalidateDiscoveryCache: () => discovery.invalidateCache(),
    hasToolCallingEnabled: (config) => enabledTools(executor, config).length > 0,
  };
}
