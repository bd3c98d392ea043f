// Groups of tools that work inside of one chat, one line each.
import { planGroup } from '../../features/plan-first/plan-group.ts';
import { agentsGroup } from '../../features/sub-agents/agents-group.ts';
import type { OpenChatGroup } from './chat-tools.ts';

export const CHAT_GROUPS: readonly OpenChatGroup[] = [
  agentsGroup, //
  planGroup,
];
