import { ToolError } from '../contract/errors.ts';
import { isPrivateVariable } from '../contract/private-text.ts';
import { notebooksOf } from '../contract/provenance.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import type { Variable, VariableType } from '../contract/variable.ts';
import { defineTool, numberArgument, READ_FREELY, textArgument } from '../util/define.ts';
import { sliceCharacters } from '../util/graphemes.ts';
import { nextCall } from '../util/line-parts.ts';
import { unknownVariable } from './references.ts';
import { USE_TOOL } from './use-tool.ts';
import type { VariableRights } from './variable-rights.ts';
import type { VariableSystem } from './variables.ts';

/** Loads the text of a rule that has not been read yet. Rejects with ToolError. */
type LoadRule = (name: string) => Promise<void>;

const VARS_GROUP = 'vars';
const TYPES: readonly VariableType[] = ['ToolCallResult', 'ToolCallArgs', 'RULE', 'LLMAdd', 'UserAdd'];
const PAGE_SIZE = 25;

const READ_VAR = {
  name: 'ReadVar',
  kind: 'other',
  icon: 'iconMarginaliaVariable',
  subject: ['name'],
  examples: [{ name: 'draft' }],
} as const satisfies ToolInfo;
const LIST_VARS = {
  name: 'ListVars',
  kind: 'other',
  icon: 'iconMarginaliaVariable',
  subject: ['filter'],
  examples: [{}],
} as const satisfies ToolInfo;
const WRITE_VAR = {
  name: 'WriteVar',
  kind: 'other',
  icon: 'iconMarginaliaVariable',
  subject: ['name'],
  examples: [{ name: 'draft', value: 'Launch in May.' }],
} as const satisfies ToolInfo;
const REMOVE_VARS = {
  name: 'RemoveVars',
  kind: 'other',
  icon: 'iconMarginaliaVariable',
  subject: ['names'],
  examples: [{ names: ['draft'] }],
} as const satisfies ToolInfo;
export const VARS_TOOLS = [READ_VAR, LIST_VARS, WRITE_VAR, REMOVE_VARS, USE_TOOL];

/** Group `vars`: the named values of a chat; its results are never cached, values from notes are checked again. */
export function createVarsGroup(variables: VariableSystem, rights: VariableRights, loadRule: LoadRule): ToolGroup {
  return {
    name: VARS_GROUP,
    tools: [
      createReadVar(variables, rights, loadRule),
      createListVars(variables, rights),
      createWriteVar(variables),
      createRemoveVars(variables),
    ],
    rulePrompt: (names) => (names.includes('WriteVar') ? 'Keep intermediate results with `WriteVar`; remove them with `RemoveVars`.' : ''),
  };
}

/** Models often give the reference instead of the name. */
function bareName(name: string): string {
  return /^\$VAR_REF\{\{\s*([^{}:\s]+)\s*(?::[\d:]*)?\}\}$/u.exec(name.trim())?.[1] ?? name.trim();
}

function createReadVar(variables: VariableSystem, rights: VariableRights, loadRule: LoadRule): Tool {
  return defineTool({
    name: READ_VAR.name,
    description: 'Read a kept variable, whole or in parts.',
    properties: {
      name: { type: 'string', description: 'name of the variable, e.g. read_doc_c1_result' },
      start: { type: 'integer', minimum: 0, description: 'first character, 0-based (default 0)' },
      length: { type: 'integer', minimum: 1, maximum: 50_000, description: 'characters (default 8000)' },
    },
    required: ['name'],
    ...READ_FREELY,
    publicResult: true,
    literalArguments: true,
    SKIP_EXTERNAL_TRUNCATE: true,
    execute: async (args, context) => {
      const name = bareName(textArgument(args, 'name') ?? '');
      await loadRule(name);
      const variable = variables.getVariable(name);
      if (variable === undefined) throw unknownVariable(name, variables);
      await rights.require([variable], context.signal);
      return readResult(variable, args);
    },
  });
}

function readResult(variable: Variable, args: ToolArguments): ToolExecuteResult {
  const [start, length] = [numberArgument(args, 'start', 0), numberArgument(args, 'length', 8000)];
  const total = variable.value.length;
  if (start > 0 && start >= total) {
    throw new ToolError('past_end', `"${variable.name}" has ${total} characters, start=${start} is past its end`, 'use a smaller start');
  }
  const { text, end } = sliceCharacters(variable.value, start, length);
  const next = end < total ? `\n${nextCall(READ_VAR.name, args, { start: end })} (of ${total} characters)` : '';
  return {
    status: 'success',
    data: text + next,
    notebooks: variable.notebooks,
    sources: variable.sources,
    isPrivate: isPrivateVariable(variable) || variable.type === 'UserAdd' ? true : undefined,
    trusted: variable.type === 'RULE' ? true : undefined,
  };
}

function createListVars(variables: VariableSystem, rights: VariableRights): Tool {
  return defineTool({
    name: LIST_VARS.name,
    description: 'List kept variables, newest first.',
    properties: {
      filter: {
        type: 'object',
        properties: { type: { enum: TYPES }, search: { type: 'string', description: 'part of name or description' } },
        additionalProperties: false,
      },
      page: { type: 'integer', minimum: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100, description: 'default 25' },
    },
    required: [],
    byNeed: 'list of the kept variables',
    ...READ_FREELY,
    publicResult: true,
    literalArguments: true,
    SKIP_EXTERNAL_TRUNCATE: true,
    execute: async (args, context) => {
      const wanted = variables.listVariables().filter(matcher(args.filter));
      const readable = await rights.readable(wanted, context.signal);
      return { status: 'success', data: listPage(readable, args) };
    },
  });
}

function matcher(filter: unknown): (variable: Variable) => boolean {
  if (typeof filter !== 'object' || filter === null) return () => true;
  const { type, search } = { type: undefined, search: undefined, ...filter } as { type?: unknown; search?: unknown };
  const needle = typeof search === 'string' ? search.toLowerCase() : '';
  return (variable) =>
    (type === undefined || variable.type === type) && `${variable.name}\n${variable.desc ?? ''}`.toLowerCase().includes(needle);
}

function listPage(list: readonly Variable[], args: ToolArguments): string {
  const [page, pageSize] = [numberArgument(args, 'page', 1), numberArgument(args, 'pageSize', PAGE_SIZE)];
  const from = (page - 1) * pageSize;
  const lines = list.slice(from, from + pageSize).map((variable) => {
    const desc = variable.desc === undefined ? '' : ` – ${variable.desc}`;
    const size = variable.type === 'RULE' ? '' : `, ${variable.value.length} characters`;
    return `- ${variable.name} (${variable.type}${size})${desc}`;
  });
  const more = from + pageSize < list.length ? [nextCall(LIST_VARS.name, args, { page: page + 1 })] : [];
  return [`${list.length} variables`, ...lines, ...more].join('\n');
}

function createWriteVar(variables: VariableSystem): Tool {
  return defineTool({
    name: WRITE_VAR.name,
    description: 'Keep a text as a variable for later calls. Overwrites only variables that WriteVar made.',
    properties: {
      name: { type: 'string', minLength: 1, description: 'letters, digits and _ - / .' },
      value: { type: 'string' },
      desc: { type: 'string', description: 'what it holds, in one line' },
    },
    required: ['name', 'value'],
    byNeed: 'variables of your own',
    ...READ_FREELY,
    publicResult: true,
    // Not a write to notes, but two calls of one round must not race for one name.
    effect: 'write',
    onlyAdds: true,
    execute: async (args, context) => {
      const name = bareName(textArgument(args, 'name') ?? '');
      const existing = variables.listVariables().find((variable) => variable.name === name);
      if ((existing !== undefined && existing.type !== 'LLMAdd') || name.startsWith('Rule/')) {
        throw new ToolError('protected_variable', `"${name}" is not yours to overwrite`, 'choose another name');
      }
      const desc = textArgument(args, 'desc');
      const sources = context.argumentSources ?? [];
      const variable = variables.addVariable(name, textArgument(args, 'value') ?? '', 'LLMAdd', {
        notebooks: notebooksOf(sources),
        sources,
        node: context.nodeId,
        desc,
      });
      return { status: 'success', data: `kept as $VAR_REF{{${variable.name}}} (${variable.value.length} characters)` };
    },
  });
}

function createRemoveVars(variables: VariableSystem): Tool {
  return defineTool({
    name: REMOVE_VARS.name,
    description: 'Remove variables that are no longer needed. Rules, pinned and user variables stay.',
    properties: { names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 } },
    required: ['names'],
    byNeed: 'variables of your own',
    ...READ_FREELY,
    publicResult: true,
    effect: 'write',
    literalArguments: true,
    execute: async (args) => ({ status: 'success', data: removeAll(variables, args) }),
  });
}

function removeAll(variables: VariableSystem, args: ToolArguments): string {
  const names = Array.isArray(args.names) ? args.names.map((name) => bareName(String(name))) : [];
  const byName = new Map(variables.listVariables().map((variable) => [variable.name, variable]));
  const removed: string[] = [];
  const kept: string[] = [];
  for (const name of names) {
    const variable = byName.get(name);
    const removable = variable !== undefined && variable.type !== 'UserAdd' && variable.pinned !== true;
    if (removable && variables.removeVariable(name)) removed.push(name);
    else kept.push(`${name} (${variable === undefined ? 'not there' : 'protected'})`);
  }
  return [`removed: ${removed.join(', ') || 'nothing'}`, ...(kept.length > 0 ? [`not removed: ${kept.join(', ')}`] : [])].join('\n');
}
