import { isOfOne, ToolError } from '../../contract/errors.ts';
import type { DocumentAddress, DocumentReading } from '../../contract/note-readings.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../../contract/types.ts';
import { READ_FREELY } from '../../util/define.ts';
import { nextCall } from '../../util/line-parts.ts';
import { documentHeader, formatBlocks, hiddenLines, outlineLines } from '../common/format-reading.ts';
import { defineNoteTool, idArgument, readId } from '../common/note-tool.ts';

const MAX_ITEMS = 20;
const MAX_BLOCKS = 500;
/** Tokens of all documents together; what one does not use is available for the next. */
const BATCH_TOKENS = 6000;

interface Item {
  readonly address: DocumentAddress;
  readonly start: number;
  readonly end: number;
}

export const READ_DOCS = {
  name: 'read_docs',
  kind: 'read',
  icon: 'iconFile',
  examples: [{ items: [{ id: '/Apollo', start: 0, end: 1 }] }, { items: [{ path: '/Zeta' }, { path: '/Nowhere' }] }],
} as const satisfies ToolInfo;

/** A batch: errors are in place of their documents, a summary is at the end. */
export function createReadDocs(notes: NotesPort): Tool {
  return defineNoteTool({
    name: READ_DOCS.name,
    description: 'Read several documents at once, each by id or path, whole or some of its blocks.',
    properties: {
      items: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ITEMS,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            path: { type: 'string' },
            start: { type: 'integer', minimum: 0, description: 'first block' },
            end: { type: 'integer', minimum: 0, description: 'last block' },
          },
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    ...READ_FREELY,
    DEFAULT_OUTPUT_LIMIT_CHAR: 8 * BATCH_TOKENS,
    compressResult: ({ formattedText = '' }) => formattedText.slice(formattedText.lastIndexOf('\nsummary: ') + 1),
    execute: (args, { signal }) => readBatch(notes, args, signal),
  });
}

async function readBatch(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const wanted: readonly unknown[] = Array.isArray(args.items) ? args.items : [];
  const lines: string[] = [];
  const blockIds: string[] = [];
  const notebooks: string[] = [];
  const failures: ToolError[] = [];
  let tokens = BATCH_TOKENS;
  let blocks = 0;
  const items = wanted.map(itemOrError);
  const asked = items.flatMap((item) => (item instanceof ToolError ? [] : [item]));
  const answers = await notes.readings(
    asked.map(({ address, start, end }) => ({ address, range: { start, blocks: end - start + 1 } })),
    signal,
  );
  for (const [index, item] of items.entries()) {
    const head = `[${index + 1}/${wanted.length}]`;
    try {
      if (item instanceof ToolError) throw item;
      const reading = answers[asked.indexOf(item)];
      if (reading === undefined || reading instanceof ToolError)
        throw reading ?? new ToolError('internal', 'a reading is missing', 'try again');
      const part = formatItem(reading, item, Math.max(200, Math.floor(tokens / (wanted.length - index))));
      lines.push(`${head} ${part.lines.join('\n')}`, '');
      tokens -= part.tokens;
      blocks += part.count;
      blockIds.push(reading.id, ...part.blockIds);
      notebooks.push(reading.notebook.id);
    } catch (error) {
      if (!isOfOne(error)) throw error;
      failures.push(error);
      lines.push(`${head} ${error.toString()}`, '');
    }
  }
  const [first] = failures;
  if (first !== undefined && failures.length === wanted.length) throw first;
  const failed = failures.length > 0 ? `, ${failures.length} failed` : '';
  lines.push(`summary: read ${wanted.length - failures.length} of ${wanted.length} documents${failed}; ${blocks} blocks`);
  return { status: 'success', data: lines.join('\n'), notebooks: [...new Set(notebooks)], blockIds: [...new Set(blockIds)] };
}

function itemOrError(entry: unknown): Item | ToolError {
  try {
    return itemOf(entry);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

/** Validated by the schema before; parsed again here so that nothing relies on a cast. */
function itemOf(entry: unknown): Item {
  const { id, path, start, end }: { id?: unknown; path?: unknown; start?: unknown; end?: unknown } =
    typeof entry === 'object' && entry !== null ? entry : {};
  const first = typeof start === 'number' ? start : 0;
  const last = typeof end === 'number' ? end : first + MAX_BLOCKS - 1;
  if (last < first) throw new ToolError('bad_arguments', `end ${last} is before start ${first}`, 'give the last block as end');
  const range = { start: first, end: Math.min(last, first + MAX_BLOCKS - 1) };
  if (typeof id === 'string' && id.trim() !== '') return { address: { id: readId(id) }, ...range };
  if (typeof path === 'string' && path.trim() !== '') return { address: { path }, ...range };
  throw new ToolError('bad_arguments', 'an item has neither id nor path', 'give one of them');
}

function formatItem(reading: DocumentReading, item: Item, tokens: number) {
  const shown = formatBlocks(reading.blocks, { tokens, showIds: true });
  const end = reading.start + shown.count;
  const wantedEnd = Math.min(reading.totalBlocks, item.end + 1);
  const next =
    end < wantedEnd && shown.count > 0
      ? [`${nextCall('read_doc', { id: reading.id }, { start: end })} (of ${reading.totalBlocks} blocks)`]
      : [];
  const empty = shown.count === 0 ? ['(no blocks here)'] : [];
  const lines = [documentHeader(reading), ...shown.lines, ...empty, ...hiddenLines(reading.hidden, 'blocks'), ...next];
  return { ...shown, lines };
}

export const GET_OUTLINE = {
  name: 'get_outline',
  kind: 'read',
  icon: 'iconFile',
  subject: ['id'],
  examples: [{ id: '/Apollo' }],
} as const satisfies ToolInfo;

export function createGetOutline(notes: NotesPort): Tool {
  return defineNoteTool({
    name: GET_OUTLINE.name,
    description: "A document's headings with ids.",
    properties: { id: { type: 'string', description: 'document id' } },
    required: ['id'],
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const reading = await notes.document({ id: idArgument(args, 'id') }, { start: 0, blocks: 1 }, signal);
      const outline = outlineLines(reading.outline, true);
      const lines = outline.length > 0 ? outline : ['(no headings; read_doc gives its blocks)'];
      return {
        status: 'success',
        data: [documentHeader(reading), ...lines].join('\n'),
        notebooks: [reading.notebook.id],
        blockIds: [reading.id, ...reading.outline.map(({ id }) => id)],
      };
    },
  });
}
