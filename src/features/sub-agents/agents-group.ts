import type { ChatTools, OpenChatGroup } from '../../app/workspace/chat-tools.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ToolEffect } from '../../tools/contract/types.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { createAgentsGroup, type SubAgents } from './agents.ts';
import { effectForSubAgent, forSubAgent } from './tools-of-sub-agent.ts';

/** Sub-agents of one chat; they run only in a chat. */
function subAgentsOf({ executor, chat, clock, another }: ChatTools): SubAgents {
  const effectOf = (name: string): ToolEffect | undefined => {
    const tool = executor().isCallable(name) ? executor().getTool(name) : undefined;
    return tool && effectForSubAgent(tool);
  };
  const runner = lazyPart(async () => {
    if (!chat) throw new ToolError('model_missing', 'no model is set up here', 'do the task yourself');
    const { createSubAgents } = await import('./sub-agents.ts');
    return createSubAgents({
      ...{ chat, clock },
      executorFor: (subAgent, tools) => another({ subAgent, group: (group) => forSubAgent(group, tools) }),
    });
  });
  return {
    effectOf,
    names: () =>
      executor()
        .groups()
        .flatMap(({ tools }) => tools.flatMap(({ name }) => (effectOf(name) ? [name] : []))),
    run: async (task, context) => (await runner()).run(task, context),
  };
}

export const agentsGroup: OpenChatGroup = (chat) => createAgentsGroup(subAgentsOf(chat));
