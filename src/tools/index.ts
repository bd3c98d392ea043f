import type { ToolGroup } from './contract/types.ts';
import { ToolExecutor, type ToolExecutorOptions } from './executor/executor.ts';

export interface ToolExecutorFactoryOptions extends ToolExecutorOptions {
  readonly groups: readonly ToolGroup[];
  /** Which groups are on, by name; unlisted groups are off. */
  readonly groupDefaults?: Readonly<Record<string, boolean>>;
  /** Which tools are on, by name; unlisted tools are on. */
  readonly toolDefaults?: Readonly<Record<string, boolean>>;
}

/** Creates the executor of a chat, with its groups registered and switched as the settings say. */
export function toolExecutorFactory(options: ToolExecutorFactoryOptions): ToolExecutor {
  const { groups, groupDefaults = {}, toolDefaults = {}, ...rest } = options;
  const executor = new ToolExecutor(rest);
  for (const group of groups) executor.registerToolGroup(group);
  for (const [name, enabled] of Object.entries(groupDefaults)) executor.toggleGroupEnabled(name, enabled);
  for (const [name, enabled] of Object.entries(toolDefaults)) executor.setToolEnabled(name, enabled);
  return executor;
}

export { MessageFlowFormatter } from './chain/message-flow.ts';
export { executeToolChain, type ToolCallHistoryEntry, type ToolChainOptions, type ToolChainResult } from './chain/tool-chain.ts';
export { type ErrorCode, type EventError, ToolError } from './contract/errors.ts';
export type { ToolChainEvent } from './contract/events.ts';
export type { ChatOption, Complete, CompletionResult, Message, ToolCall, ToolDefinition, Usage } from './contract/messages.ts';
export type {
  ApprovalAdapter,
  ApprovalDecision,
  ApprovalRequest,
  Tool,
  ToolArguments,
  ToolContext,
  ToolExecuteResult,
  ToolExecuteStatus,
  ToolGroup,
  ToolPermissionV2,
} from './contract/types.ts';
export type { Variable, VariableType } from './contract/variable.ts';
export { HeadlessApprovalAdapter, InlineApprovalAdapter } from './executor/approvals.ts';
export type { ExecuteOptions, ToolExecutorOptions } from './executor/executor.ts';
export { VariableSystem } from './executor/variables.ts';
export { createBasicGroup } from './groups/basic/basic.ts';
export { createBlocksGroup } from './groups/blocks/blocks.ts';
export { createDocumentsGroup } from './groups/documents/documents.ts';
export { createNotebooksGroup } from './groups/notebooks.ts';
export { createNotesGroups, GROUP_DEFAULTS } from './groups/notes-groups.ts';
export { createSearchGroup } from './groups/search/search.ts';
export { DEFAULT_LIMIT_CHAR, truncateContent } from './util/truncate.ts';
export { ToolExecutor };
