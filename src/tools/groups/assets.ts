import type { AssetFile, AssetReading } from '../contract/assets.ts';
import { ToolError } from '../contract/errors.ts';
import type { NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import type { TextPart } from '../file-text/file-text.ts';
import { numberedPages, readPdfHere } from '../file-text/pdf-pages.ts';
import type { ReadPdf } from '../file-text/pdf-text.ts';
import { numberArgument, READ_FREELY, textArgument, WRITE_ASKING } from '../util/define.ts';
import { lazyPart } from '../util/lazy.ts';
import { nextCall } from '../util/line-parts.ts';
import { applyApproved } from './common/approved-write.ts';
import { defineNoteTool, neededText, readId } from './common/note-tool.ts';
import { changesResult } from './common/write-result.ts';

const loadText = lazyPart(() => import('../file-text/file-text.ts'));
const PAGE_SIZE = 30;
const MOST_PLACES = 5;

const READS: readonly string[] = ['list', 'text', 'unused'];

export function createAssetsGroup(notes: NotesPort, pdf = readPdfHere): ToolGroup {
  return { name: 'assets', tools: [createAssets(notes, pdf)] };
}

export const ASSETS = {
  name: 'assets',
  kind: 'list',
  kinds: { text: 'read', rename: 'write' },
  icon: 'iconMarginaliaAttach',
  subject: ['path'],
  examples: [
    { op: 'list', id: '/daily note/2026/01/2026-01-15' },
    { op: 'text', path: 'assets/ticket.txt' },
    { op: 'rename', path: 'assets/ticket.txt', name: 'flight' },
  ],
} as const satisfies ToolInfo;

function createAssets(notes: NotesPort, pdf: ReadPdf): Tool {
  return defineNoteTool({
    name: ASSETS.name,
    description:
      'Files in notes (PDF, pictures, …): list them or those that no note uses, read the text of one, or rename one with all links to it.',
    properties: {
      op: { enum: ['list', 'text', 'rename', 'unused'] },
      id: { type: 'string', description: 'for list: notebook, note or block' },
      path: { type: 'string', description: 'assets/…' },
      pages: { type: 'string', description: 'for text: 3 or 3-8' },
      name: { type: 'string', description: 'for rename' },
      page: { type: 'integer', minimum: 1, description: 'of the list' },
    },
    required: ['op'],
    byNeed: 'files in notes: list, read the text of a PDF, rename, unused ones',
    ...WRITE_ASKING,
    // Whatever is not plainly a read is gated as the write that it may be.
    traits: ({ op }) => (READS.includes(String(op)) ? READ_FREELY : WRITE_ASKING),
    plan: async (args, { signal }) => {
      const request = { path: neededText(args, 'path', ASSETS.name), name: neededText(args, 'name', ASSETS.name) };
      return notes.planAssetRename(request, ASSETS.name, signal);
    },
    execute: async (args, context) => {
      if (args.op === 'list') return listAssets(notes, args, context.signal);
      if (args.op === 'unused') return unusedFiles(notes, args, context.signal);
      if (args.op === 'text') return readText(notes, args, pdf, context.signal);
      const { approved, report } = await applyApproved(notes, context);
      return changesResult('renamed the file', approved, report);
    },
  });
}

function sizeOf(bytes: number | null): string {
  if (bytes === null) return 'missing in the workspace';
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
}

function placesOf({ places }: AssetReading): readonly string[] {
  const shown = places
    .slice(0, MOST_PLACES)
    .map(({ id, document, notebook }) => `  [${id}] in ${document.path} [${document.id}], ${notebook.name}`);
  return places.length > MOST_PLACES ? [...shown, `  and ${places.length - MOST_PLACES} more blocks`] : shown;
}

/** The notes behind what a result shows. */
const sourcesOf = (files: readonly AssetReading[]): Pick<ToolExecuteResult, 'notebooks' | 'blockIds'> => {
  const places = files.flatMap((file) => file.places.slice(0, MOST_PLACES));
  return {
    notebooks: [...new Set(places.map(({ notebook }) => notebook.id))],
    blockIds: [...new Set(places.flatMap(({ id, document }) => [id, document.id]))],
  };
};

async function listAssets(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const page = numberArgument(args, 'page', 1);
  const id = textArgument(args, 'id');
  const { items, total, nextPage } = await notes.assets(
    { in: id === undefined ? undefined : readId(id), page, pageSize: PAGE_SIZE },
    signal,
  );
  const lines = items.flatMap((file) => [`${file.path}, ${sizeOf(file.size)}`, ...placesOf(file)]);
  const more = nextPage === null ? [] : [nextCall(ASSETS.name, args, { page: nextPage })];
  return { status: 'success', data: [`${total} files`, ...lines, ...more].join('\n'), ...sourcesOf(items) };
}

async function unusedFiles(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const { items, total, isCut, nextPage } = await notes.unusedAssets(
    { page: numberArgument(args, 'page', 1), pageSize: PAGE_SIZE },
    signal,
  );
  const lines = items.map(({ path, size }) => `${path}, ${sizeOf(size)}`);
  const more = nextPage === null ? [] : [nextCall(ASSETS.name, args, { page: nextPage })];
  const count = `${isCut ? `${total} or more` : total} files that no note uses`;
  // A chat is no note: SiYuan would clean them up.
  const warning = total === 0 ? [] : ['files attached to chats are among them: tell the user before any is deleted'];
  return { status: 'success', data: [count, ...lines, ...warning, ...more].join('\n') };
}

const RANGE = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/u;

/** Pages to read, from 1; without a last one as many as fit. */
function rangeOf(args: ToolArguments): { readonly from: number; readonly to?: number } {
  const given = textArgument(args, 'pages');
  if (given === undefined) return { from: 1 };
  const [, first, last = first] = RANGE.exec(given) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!(from >= 1 && to >= from))
    throw new ToolError('bad_arguments', `"${given.slice(0, 40)}" names no pages`, 'give pages like "3" or "3-8"');
  return { from, to };
}

async function readText(notes: NotesPort, args: ToolArguments, pdf: ReadPdf, signal: AbortSignal): Promise<ToolExecuteResult> {
  const range = rangeOf(args);
  const file = await notes.assetFile(neededText(args, 'path', ASSETS.name), signal);
  const part = await (await loadText()).fileText(file, range, (bytes, part) => pdf(bytes, part, signal));
  const { notebooks, blockIds = [] } = sourcesOf([file]);
  return { status: 'success', data: linesOf(file, part, args).join('\n'), notebooks, blockIds: [...blockIds, ...pagesOf(file, part)] };
}

/** Names a page of a PDF in a citation: the block with the PDF, and the page. */
const pageId = (block: string, page: number): string => `${block}#p${page}`;

/** Pages that may be cited now: the model has read them. */
function pagesOf({ places }: AssetFile, { isPdf, from, texts }: TextPart): readonly string[] {
  const [place] = places;
  return isPdf && place ? texts.map((_text, index) => pageId(place.id, from + index)) : [];
}

function linesOf(file: AssetFile, { isPdf, from, total, texts }: TextPart, args: ToolArguments): readonly string[] {
  const last = from + texts.length - 1;
  const [place] = file.places;
  const cite = isPdf && place ? [`cite a page as ((${pageId(place.id, from)} "words")), here page ${from}`] : [];
  const next = last < total ? [nextCall(ASSETS.name, args, { pages: last + 1 < total ? `${last + 1}-${total}` : String(total) })] : [];
  return [
    `${file.path}, ${sizeOf(file.size)}, ${from === last ? `page ${from}` : `pages ${from}-${last}`} of ${total}`,
    ...placesOf(file),
    ...cite,
    ...numberedPages(texts, from),
    ...next,
  ];
}
