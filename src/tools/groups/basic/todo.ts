import { ToolError } from '../../contract/errors.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments } from '../../contract/types.ts';
import type { VariableSystem } from '../../executor/variables.ts';
import { defineTool, READ_FREELY, textListArgument } from '../../util/define.ts';

/** The variable that holds the list, saved with the chat like every other. */
export const TODO_VARIABLE = 'todo';
const MAX_ITEMS = 100;

interface Item {
  readonly text: string;
  readonly done: boolean;
}

export const TODO = {
  name: 'todo',
  kind: 'other',
  icon: 'iconSelect',
  examples: [{ op: 'add', items: ['read the plan', 'write a summary'] }],
} as const satisfies ToolInfo;

/** The model's own plan for the turn, saved as Markdown tasks, so that ReadVar and the user can read it too. */
export function createTodo(variables: VariableSystem): Tool {
  return defineTool({
    name: TODO.name,
    description: 'Your own list of steps for a longer task: add, mark done, list, clear. Not a note of the user.',
    properties: {
      op: { enum: ['add', 'done', 'list', 'clear'] },
      items: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 500 },
        minItems: 1,
        maxItems: MAX_ITEMS,
        description: 'for add: the steps',
      },
      numbers: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, description: 'for done: numbers in the list' },
    },
    required: ['op'],
    ...READ_FREELY,
    publicResult: true,
    // Two calls of one round must not race for the list.
    effect: 'write',
    traits: (args) => (args.op === 'list' ? READ_FREELY : { ...READ_FREELY, effect: 'write' }),
    // Text of notes would bring its rights along; a step is the model's own text.
    literalArguments: true,
    SKIP_CACHE_RESULT: true,
    execute: async (args, context) => {
      const known = variables.getVariable(TODO_VARIABLE);
      if (known !== undefined && args.op !== 'clear') await context.requireReadable?.(known);
      return { status: 'success', data: formatList(change(variables, args, context.nodeId)) };
    },
  });
}

function change(variables: VariableSystem, args: ToolArguments, node: string): readonly Item[] {
  const items = load(variables);
  switch (args.op) {
    case 'add':
      return save(variables, [...items, ...added(items, args)], node);
    case 'done':
      return save(variables, marked(items, args), node);
    case 'clear':
      variables.removeVariable(TODO_VARIABLE);
      return [];
    default:
      return items;
  }
}

function added(items: readonly Item[], args: ToolArguments): readonly Item[] {
  const texts = (textListArgument(args, 'items') ?? []).map((text) => text.replaceAll(/\s+/gu, ' ').trim()).filter((text) => text !== '');
  if (texts.length === 0) throw new ToolError('bad_arguments', 'items is missing', 'call todo op=add with items');
  if (items.length + texts.length > MAX_ITEMS) {
    throw new ToolError('too_many', `the list would have more than ${MAX_ITEMS} steps`, 'call todo op=clear, or put steps together');
  }
  return texts.map((text) => ({ text, done: false }));
}

function marked(items: readonly Item[], args: ToolArguments): readonly Item[] {
  const numbers = Array.isArray(args.numbers) ? args.numbers : [];
  if (numbers.length === 0) throw new ToolError('bad_arguments', 'numbers is missing', 'call todo op=done with the numbers of the steps');
  const wrong = numbers.find((number) => items[Number(number) - 1] === undefined);
  if (wrong !== undefined) {
    throw new ToolError('not_found', `there is no step ${String(wrong)} of ${items.length}`, 'call todo op=list to see the numbers');
  }
  return items.map((item, index) => (numbers.includes(index + 1) ? { ...item, done: true } : item));
}

function load(variables: VariableSystem): readonly Item[] {
  const variable = variables.getVariable(TODO_VARIABLE);
  if (variable === undefined) return [];
  // WriteVar may have put something else there, even from notes: it must not be shown without checking its rights.
  if (variable.type !== 'LLMAdd' || variable.notebooks !== undefined) {
    const next = `call RemoveVars names=["${TODO_VARIABLE}"], or ask the user to rename it`;
    throw new ToolError('name_taken', `the variable "${TODO_VARIABLE}" contains something else`, next);
  }
  return variable.value
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: line.replace(/^- \[[ x]\] /u, ''), done: line.startsWith('- [x] ') }));
}

/** Pinned: the plan must not be evicted when many results are kept. */
function save(variables: VariableSystem, items: readonly Item[], node: string): readonly Item[] {
  const value = items.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`).join('\n');
  variables.addVariable(TODO_VARIABLE, value, 'LLMAdd', { desc: 'steps of the task (todo)', pinned: true, node });
  return items;
}

function formatList(items: readonly Item[]): string {
  if (items.length === 0) return 'the list is empty';
  const open = items.filter(({ done }) => !done).length;
  return [
    `${open} of ${items.length} steps open`,
    ...items.map(({ text, done }, index) => `${index + 1}. [${done ? 'x' : ' '}] ${text}`),
  ].join('\n');
}
