import { ToolError } from '../../contract/errors.ts';
import type { BlockInfo, BlockNeighbourhood, BlockRange, FailedId } from '../../contract/note-queries.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../../contract/types.ts';
import { numberArgument, READ_FREELY } from '../../util/define.ts';
import { preview } from '../../util/graphemes.ts';
import { nextCall } from '../../util/line-parts.ts';
import { compareTexts } from '../../util/plain-value.ts';
import { documentHeader, formatBlocks, hiddenLines, truncateReading } from '../common/format-reading.ts';
import { defineNoteTool, ID_LIST, idArgument, idListArgument } from '../common/note-tool.ts';

const RANGES: readonly BlockRange[] = ['self', 'children', 'context', 'before', 'after'];
const TOKENS = 4000;

export const READ_BLOCK = {
  name: 'read_block',
  kind: 'read',
  icon: 'iconFile',
  subject: ['id'],
  examples: [{ id: '/Apollo#1', range: 'after', limit: 2 }],
} as const satisfies ToolInfo;

export function createReadBlock(notes: NotesPort): Tool {
  return defineNoteTool({
    name: READ_BLOCK.name,
    description: 'Read a block, or blocks around it. A heading has the blocks of its section as children.',
    properties: {
      id: { type: 'string', description: 'block id' },
      range: { enum: RANGES, description: 'default self' },
      limit: { type: 'integer', minimum: 1, maximum: 200, description: 'blocks (default 20)' },
      format: { enum: ['ids', 'text'], description: 'ids (default): with @@id@@type#hash' },
    },
    required: ['id'],
    ...READ_FREELY,
    truncateForLLM: (formatted) => truncateReading(formatted, { tokens: TOKENS }),
    execute: (args, { signal }) => readBlock(notes, args, signal),
  });
}

async function readBlock(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const id = idArgument(args, 'id');
  const range = RANGES.find((known) => known === args.range) ?? 'self';
  const found = await notes.blocks({ id, range, limit: numberArgument(args, 'limit', 20) }, signal);
  const { document, notebook, hidden } = found;
  const shown = formatBlocks(found.blocks, { tokens: TOKENS, showIds: args.format !== 'text' });
  const empty = shown.count === 0 ? ['(no blocks here)'] : [];
  const lines = [
    documentHeader({ ...document, notebook }),
    ...shown.lines,
    ...empty,
    ...hiddenLines(hidden, 'blocks'),
    ...readOn(found, { args, range }, shown.count),
  ];
  return { status: 'success', data: lines.join('\n'), notebooks: [notebook.id], blockIds: [...new Set([document.id, ...shown.blockIds])] };
}

function readOn(
  found: BlockNeighbourhood,
  { args, range }: { readonly args: ToolArguments; readonly range: BlockRange },
  count: number,
): readonly string[] {
  const more = found.more + found.blocks.length - count;
  const [first] = found.blocks;
  const last = found.blocks[count - 1];
  if (more === 0 || first === undefined || last === undefined) return [];
  const from = range === 'before' ? { id: first.id, range } : { id: last.id, range: 'after' };
  return [`(${more} more blocks)`, nextCall(READ_BLOCK.name, args, from)];
}

export const BLOCK_INFO = {
  name: 'block_info',
  kind: 'read',
  icon: 'iconFile',
  examples: [{ ids: ['/Apollo#1'] }],
} as const satisfies ToolInfo;

export function createBlockInfo(notes: NotesPort): Tool {
  return defineNoteTool({
    name: BLOCK_INFO.name,
    description: 'Where blocks are: breadcrumb, number of backlinks, attributes, databases.',
    properties: { ids: ID_LIST },
    required: ['ids'],
    byNeed: 'path, backlinks, attributes and databases of blocks',
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const infos = await notes.blockInfo(idListArgument(args, 'ids'), signal);
      const found = infos.filter((info): info is BlockInfo => !('code' in info));
      const [first] = infos;
      if (found.length === 0 && first !== undefined && 'code' in first) throw new ToolError(first.code, first.message, first.next);
      return {
        status: 'success',
        data: infos.map((info) => ('code' in info ? failedLine(info) : infoLines(info).join('\n'))).join('\n'),
        notebooks: [...new Set(found.map(({ notebook }) => notebook.id))],
        blockIds: [...new Set(found.flatMap((info) => [info.id, info.document.id, ...info.breadcrumb.map(({ id }) => id)]))],
      };
    },
  });
}

export function failedLine({ id, code, message, next }: FailedId): string {
  return `[${id}] ${code}: ${message} → ${next}`;
}

function infoLines(info: BlockInfo): readonly string[] {
  const crumbs = info.breadcrumb.map(({ id, text }) => `${preview(text.replaceAll(/\s+/gu, ' '), 80)} [${id}]`);
  return [
    `[${info.id}] ${info.type}${info.subtype === '' ? '' : ` ${info.subtype}`} in ${info.document.path} [${info.document.id}], ${info.notebook.name}`,
    `  at: ${crumbs.join(' › ')}`,
    `  backlinks: ${info.backlinks}`,
    ...attributeLines(info.attributes).map((line) => `  ${line}`),
    ...(info.databases.length > 0 ? [`  databases: ${info.databases.join(', ')}`] : []),
  ];
}

/** `name = value`, sorted by name, since the kernel's order is random; values on one line. */
export function attributeLines(attributes: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(attributes).sort(([left], [right]) => compareTexts(left, right));
  return entries.map(([name, value]) => `${name} = ${value.replaceAll(/\r?\n/gu, '\\n')}`);
}
