import { ToolError } from '../../tools/contract/errors.ts';
import type { CallTraits, Tool, ToolArguments, ToolContext, ToolEffect, ToolExecuteResult, ToolGroup } from '../../tools/contract/types.ts';
import { SPAWN } from '../../tools/groups/common/beyond-notes.ts';
import { defineTool, numberArgument, READ_FREELY, textArgument, textListArgument, WRITE_ASKING } from '../../tools/util/define.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { nearNames } from '../../tools/util/near-names.ts';

/** The limits of a sub-agent. Tokens are those of all its requests together. */
const SUB_AGENT_LIMITS = {
  tokens: { least: 2000, usual: 150_000, most: 1_000_000 },
  rounds: { least: 1, usual: 15, most: 40 },
} as const;

export interface SubAgentTask {
  readonly label: string;
  readonly task: string;
  /** Names of tools that change something or send it away, which it gets in addition to those that read. */
  readonly tools: readonly string[];
  readonly maxTokens: number;
  readonly maxRounds: number;
}

/** Runs sub-agents: models that work inside a call. */
export interface SubAgents {
  /** The effect of a tool of this chat; undefined if a sub-agent cannot have it. `read` only if it does nothing but read. */
  effectOf(tool: string): ToolEffect | undefined;
  /** Names of the tools that `effectOf` knows. */
  names(): readonly string[];
  /**
   * Resolves when it has ended, in whatever way, with the result for the chat. Waits while the maximum number is running. Rejects with
   * ToolError `aborted`, or if no model is available.
   */
  run(task: SubAgentTask, context: ToolContext): Promise<ToolExecuteResult>;
}

const RULES = [
  'Use sub-agents (spawn) for a task that takes many reads when you only need the outcome, and for tasks that do not depend on each other:',
  'call spawn for all of them in one answer. What you can look up in one or two calls, look up yourself. Keep the citations of its answer.',
].join(' ');

/** Group `agents`: models that work on a part of the task for the chat's own. */
export function createAgentsGroup(agents: SubAgents): ToolGroup {
  return { name: 'agents', rulePrompt: RULES, tools: [createSpawn(agents)] };
}

const limit = ({ least, usual, most }: { readonly least: number; readonly usual: number; readonly most: number }) => ({
  type: 'integer',
  minimum: least,
  maximum: most,
  description: `default ${usual}`,
});

function createSpawn(agents: SubAgents): Tool {
  return defineTool({
    name: SPAWN.name,
    description:
      'Give a task to a sub-agent and get what it found. It reads with your tools, in a conversation of its own: it knows nothing but the task. Example: {"label":"Budget of Apollo","task":"Read all notes about Apollo and list what they say about its budget, with citations."}',
    properties: {
      task: {
        type: 'string',
        minLength: 1,
        maxLength: 100_000,
        description: 'everything it has to know; $VAR_REF{{name}} passes a variable',
      },
      label: { type: 'string', maxLength: 80, description: 'what the user sees: a few words in the language of the chat' },
      tools: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        maxItems: 20,
        description: 'tools for changing notes or sending something, only if the task needs them; the user is asked for each change',
      },
      max_tokens: limit(SUB_AGENT_LIMITS.tokens),
      max_rounds: { ...limit(SUB_AGENT_LIMITS.rounds), description: `rounds of tool calls, default ${SUB_AGENT_LIMITS.rounds.usual}` },
    },
    required: ['task'],
    ...WRITE_ASKING,
    traits: (args) => traitsOf(agents, args),
    // Its own calls have their time limits, and may ask people.
    waitsForUser: true,
    // Private results of its own calls are marked in its report.
    publicResult: true,
    compressArgs: ({ label, task }) => JSON.stringify({ label, task: preview(String(task), 120) }),
    execute: async (args, context) => agents.run(taskOf(agents, args), context),
  });
}

const named = (args: ToolArguments): readonly string[] => textListArgument(args, 'tools') ?? [];

/** A sub-agent that only reads is started without asking, like its reads. The call itself reports an unknown tool. */
function traitsOf(agents: SubAgents, args: ToolArguments): CallTraits {
  const known = named(args).map((name) => agents.effectOf(name));
  return known.every((effect) => effect === 'read' || effect === undefined) ? READ_FREELY : WRITE_ASKING;
}

/** Its name for people. */
function labelOf(args: ToolArguments): string {
  const label = textArgument(args, 'label')?.replaceAll(/\s+/gu, ' ').trim();
  return label || preview((textArgument(args, 'task') ?? '').replaceAll(/\s+/gu, ' ').trim(), 60);
}

function taskOf(agents: SubAgents, args: ToolArguments): SubAgentTask {
  const task = (textArgument(args, 'task') ?? '').trim();
  if (task === '') throw new ToolError('empty_text', '"task" is empty', 'call spawn again and say in task what to do');
  const unknown = named(args).find((name) => agents.effectOf(name) === undefined);
  if (unknown !== undefined) {
    const near = nearNames(unknown, agents.names());
    const next = near.length > 0 ? `name one of: ${near.join(', ')}` : 'leave it out of tools: it has the reading tools anyway';
    throw new ToolError('unknown_tool', `a sub-agent cannot have the tool "${preview(unknown, 80)}"`, next);
  }
  return {
    label: labelOf(args),
    task,
    tools: named(args),
    maxTokens: numberArgument(args, 'max_tokens', SUB_AGENT_LIMITS.tokens.usual),
    maxRounds: numberArgument(args, 'max_rounds', SUB_AGENT_LIMITS.rounds.usual),
  };
}
