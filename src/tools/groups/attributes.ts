import { isOfOne, ToolError } from '../contract/errors.ts';
import type { NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import { READ_FREELY, WRITE_ASKING } from '../util/define.ts';
import { attributeLines, failedLine } from './blocks/read-block.ts';
import { applyApproved, NOTEBOOK_SCOPE } from './common/approved-write.ts';
import { defineNoteTool, ID_LIST, idListArgument } from './common/note-tool.ts';
import { changesResult } from './common/write-result.ts';

export function createAttributesGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'attributes',
    rulePrompt: 'Attributes are name, alias, memo, bookmark, and custom-… with lower-case letters, digits and -.',
    tools: [createAttributes(notes)],
  };
}

export const ATTRIBUTES = {
  name: 'attributes',
  kind: 'list',
  kinds: { set: 'write' },
  icon: 'iconMarginaliaBlock',
  subject: ['attrs'],
  examples: [
    { ids: ['/Apollo'], op: 'get' },
    { ids: ['/Apollo'], op: 'set', attrs: { 'custom-state': 'active' } },
  ],
} as const satisfies ToolInfo;

function createAttributes(notes: NotesPort): Tool {
  return defineNoteTool({
    name: ATTRIBUTES.name,
    description:
      'Get or set attributes of blocks or documents. Example: {"op":"set","ids":["20240131120000-abc1234"],"attrs":{"custom-state":"done"}}',
    properties: {
      op: { enum: ['get', 'set'] },
      ids: ID_LIST,
      attrs: { type: 'object', additionalProperties: { type: 'string' }, description: 'for set; "" removes one' },
    },
    required: ['op', 'ids'],
    byNeed: 'attributes of blocks (name, alias, memo, bookmark, custom-…)',
    ...WRITE_ASKING,
    // Whatever is not clearly a read is gated as the write that it may be.
    traits: (args) => (args.op === 'get' ? READ_FREELY : WRITE_ASKING),
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) =>
      notes.planAttributes({ ids: idListArgument(args, 'ids'), attrs: attrsOf(args) }, 'attributes', signal),
    execute: async (args, context) => {
      if (args.op === 'get') return getAttributes(notes, idListArgument(args, 'ids'), context.signal);
      const { approved, report } = await applyApproved(notes, context);
      return changesResult('set attributes', approved, report);
    },
  });
}

function attrsOf(args: ToolArguments): Readonly<Record<string, string>> {
  const { attrs } = args;
  const entries = typeof attrs === 'object' && attrs !== null ? Object.entries(attrs) : [];
  const given = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (given.length === 0) {
    throw new ToolError('bad_arguments', 'attrs is missing or empty', 'call attributes op=set with attrs {"custom-name":"value"}');
  }
  return Object.fromEntries(given);
}

/** An id that cannot be answered has an error in its place; the others are answered. */
async function getAttributes(notes: NotesPort, ids: readonly string[], signal: AbortSignal): Promise<ToolExecuteResult> {
  const lines: string[] = [];
  const notebooks = new Set<string>();
  const blockIds = new Set<string>();
  const failures: ToolError[] = [];
  for (const id of ids) {
    try {
      const { document, notebook, attributes } = await notes.attributes(id, signal);
      const own = attributeLines(attributes);
      lines.push(
        `[${id}] in ${document.path} [${document.id}], ${notebook.name}`,
        ...(own.length > 0 ? own : ['none']).map((line) => `  ${line}`),
      );
      notebooks.add(notebook.id);
      blockIds.add(id).add(document.id);
    } catch (error) {
      if (!isOfOne(error)) throw error;
      failures.push(error);
      lines.push(failedLine({ id, code: error.code, message: error.message, next: error.next }));
    }
  }
  const [first] = failures;
  if (first !== undefined && failures.length === ids.length) throw first;
  return { status: 'success', data: lines.join('\n'), notebooks: [...notebooks], blockIds: [...blockIds] };
}
