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
export { ToolExecutor, type ToolExecutorOptions } from './executor/executor.ts';
export type { ExecuteOptions } from './executor/prepare-call.ts';
export { VariableSystem } from './executor/variables.ts';
export { type ToolExecutorFactoryOptions, toolExecutorFactory } from './executor-factory.ts';
export { createBasicGroup } from './groups/basic/basic.ts';
export { createBlocksGroup } from './groups/blocks/blocks.ts';
export { createDocumentsGroup } from './groups/documents/documents.ts';
export { createNotebooksGroup } from './groups/notebooks.ts';
export { createNotesGroups, GROUP_DEFAULTS } from './groups/notes-groups.ts';
export { createSearchGroup } from './groups/search/search.ts';
export { DEFAULT_LIMIT_CHAR, truncateContent } from './util/truncate.ts';
