import type { Tool } from '@modelcontextprotocol/server';
import { type OfferedTool, PENDING_SCHEMA } from '../../../tools/calls/outside-calls.ts';

/** Asks again for a change that was pending. */
export const PENDING_CHANGE = 'pending_change';

/** "edit_block" as people read it. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

const PENDING_TOOL: Tool = {
  name: PENDING_CHANGE,
  title: 'Pending change',
  description: PENDING_SCHEMA.description,
  inputSchema: { ...PENDING_SCHEMA.parameters, required: [...PENDING_SCHEMA.parameters.required] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

function toolView({ definition, effect, destroys }: OfferedTool): Tool {
  const { name, description, parameters } = definition.function;
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: { ...parameters, type: 'object' },
    annotations: {
      readOnlyHint: effect === 'read',
      ...(effect === 'read' ? {} : { destructiveHint: destroys, idempotentHint: false }),
      openWorldHint: effect === 'outgoing',
    },
  };
}

/** The tools as a client is offered them. */
export const toolList = (tools: readonly OfferedTool[]): Tool[] => [...tools.map(toolView), PENDING_TOOL];
