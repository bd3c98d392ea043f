import type { ExecutorPorts } from '../../chat/turn/session.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { SubAgentName, ToolGroup } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';

/** How another executor differs from the chat's. */
export interface OtherTools {
  /** Who calls its tools. */
  readonly subAgent: SubAgentName;
  /** What it has of each group. */
  readonly group: (group: ToolGroup) => ToolGroup;
}

/** The chat that a group of tools is made for. */
export interface ChatTools {
  /** Its executor; not before it is made. */
  readonly executor: () => ToolExecutor;
  /** Absent where no chat is, as for a call of a program. */
  readonly chat: ExecutorPorts['chat'] | undefined;
  readonly clock: Clock;
  /** With the chat's rights, policies and switches, and separate variables. */
  readonly another: (differences: OtherTools) => ToolExecutor;
}

export type OpenChatGroup = (chat: ChatTools) => ToolGroup;
