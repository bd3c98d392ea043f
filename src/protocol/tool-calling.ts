import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { ToolExecutionResult } from './contract.ts';
import { formatResultsForContext, processToolCallCycle, type ToolCallCycleResult } from './cycle.ts';
import { createToolDiscovery, type DiscoveredTool, enabledTools, type MethodFilter } from './discovery.ts';
import type { ExecuteRequestsOptions } from './execute-requests.ts';
import { PROTOCOLS, textProtocolOf } from './protocols.ts';

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
    formatCycleResults: (results, protocolId = PROTOCOLS[0].id) => formatResultsForContext(results, protocolId),
    generateToolsPrompt: (config, agentId) =>
      discovery.generatePrompt({ config, protocol: textProtocolOf(config.protocol), ...(agentId === undefined ? {} : { agentId }) }),
    getDiscoveredMethods: (filter) => discovery.getDiscoveredMethods(filter),
    invalidateDiscoveryCache: () => discovery.invalidateCache(),
    hasToolCallingEnabled: (config) => enabledTools(executor, config).length > 0,
  };
}
