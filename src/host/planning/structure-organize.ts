import { ToolError } from '../../tools/contract/errors.ts';
import type { OrganizeRequest } from '../../tools/contract/note-planner.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { pathWords } from '../../tools/util/place-words.ts';
import type { BlockLocation } from '../access/access.ts';
import { allBlocks, type BlockElement, blockId, freshId, parseBlock, serializeBlock, writableDom } from '../blocks/block-dom.ts';
import { isEmptyParagraph } from '../blocks/emptied-container.ts';
import { existingContent } from '../content/active-content.ts';
import { findPath } from '../documents/document-target.ts';
import { assertNoneHiddenBelow, folderOf, parentOf } from '../documents/structure-documents.ts';
import type { DocumentPlacement } from '../journal/structure-journal.ts';
import { refersToAny, unknownReferences, withoutReferences } from '../transactions/lost-references.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';
import { guardedSections, isGuardedElement, removeGuarded } from '../tree/document-tree.ts';
import {
  checkTitle,
  counted,
  hiddenAtPath,
  locateDocuments,
  neededRight,
  type PlanMaker,
  type PlannedStep,
  type StructurePlannerDeps,
  stepsOf,
} from './structure-plan.ts';

/** Attributes that belong to one block only: database rows, flashcards, the chat that wrote it, its guard. */
const NOT_COPIED = /^(custom-(avs|riff-decks|ai-access|marginalia-.+|sy-av-.+)|av-names)$/;
const DOCUMENTS_OWN = new Set(['id', 'title', 'type', 'updated', 'scroll']);

/** A copy next to the document, by the ordinary inserts, whose undo removes it: SiYuan's own duplicateDoc is not recorded. */
async function planDuplicate(
  deps: StructurePlannerDeps & { readonly maker: PlanMaker },
  place: BlockLocation,
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const { routes, access, maker, plans, pushes } = deps;
  const pushPosition = pushes.position();
  const notebook = await access.requireNotebook(place.notebook.id, 'read', signal);
  const source = await routes.pathOf(place.documentId, signal);
  const parentId = parentOf(place.documentPath) ?? undefined;
  const { path, hidden: atPath } = await freePath(deps, { notebook: notebook.id, source, parentId }, signal);
  const operationId = maker.nextId('op');
  const { blocks, sources, hidden, lost } = await copyBlocks(deps, place.documentId, signal);
  const operations = blocks.map(
    (dom): PreparedOperation => ({
      id: operationId,
      action: 'insert',
      blockId: blockId(requireOne(dom)),
      dom,
      before: null,
      // A copy may contain what the user's own document contains.
      existing: existingContent(dom),
    }),
  );
  const attributes = Object.keys(await routes.attributes(place.documentId, signal)).filter((name) => !DOCUMENTS_OWN.has(name));
  const title = path.slice(path.lastIndexOf('/') + 1);
  const plan: ChangePlan = Object.freeze({
    id: maker.nextId('plan'),
    tool,
    notebook: { id: notebook.id, name: notebook.name },
    document: { id: null, title, path },
    operations: [
      {
        id: operationId,
        action: 'duplicate-document' as const,
        blockId: place.documentId,
        blockType: 'd',
        before: source,
        after: path,
        path: { before: stepsOf(source), after: stepsOf(path) },
        requires: [],
        document: { id: place.documentId, title: place.documentTitle, path: source },
      },
    ],
    anchorId: null,
    undo: { kind: 'exact' as const },
    ...neededRight(notebook.right, []),
    notices: counted([
      { code: 'hidden-kept', count: hidden },
      { code: 'attributes-lost', count: attributes.length },
      { code: 'unreadable-references-lost', count: lost },
      ...hiddenAtPath(atPath),
    ]),
  });
  const target = { kind: 'create' as const, path, operationId, hidden: atPath, parentId };
  plans.put(plan, { target, anchor: null, operations, pushPosition, reads: [place.documentId, ...sources] });
  return plan;
}

/** "<title> copy" next to the document, with a number if a readable document has that title. */
async function freePath(
  { access }: StructurePlannerDeps,
  { notebook, source, parentId }: { readonly notebook: string; readonly source: string; readonly parentId: string | undefined },
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly hidden: number }> {
  for (let count = 1; count <= 100; count += 1) {
    const path = `${source} copy${count === 1 ? '' : ` ${count}`}`;
    const { existing, hidden } = await findPath(access, { notebook, path, parentId }, signal);
    if (existing.length === 0) return { path, hidden };
  }
  throw new ToolError('path_exists', 'there are already many copies of this document', 'remove some of them first');
}

interface Copied {
  readonly blocks: readonly string[];
  /** Ids of the copied blocks, including nested ones. */
  readonly sources: readonly string[];
  /** Blocks that are hidden from the model and left out. */
  readonly hidden: number;
  /** Blocks with a reference that SiYuan cannot resolve now and would drop from the copy. */
  readonly lost: number;
}

async function copyBlocks({ routes, clock, random }: StructurePlannerDeps, documentId: string, signal: AbortSignal): Promise<Copied> {
  const children = await routes.children(documentId, signal);
  const guarded = await guardedSections(routes, children, signal);
  const open = children.filter((child) => !guarded.has(child.id));
  const doms = await routes.doms(
    open.map((child) => child.id),
    signal,
  );
  let hidden = children.length - open.length;
  const copies: BlockElement[] = [];
  for (const child of open) {
    const dom = doms[child.id] ?? '';
    if (dom === '') throw new ToolError('stale', 'a block disappeared while the document was read', 'try again');
    const copy = requireOne(writableDom(requireOne(dom)));
    if (isGuardedElement(copy)) hidden += 1;
    else {
      hidden += removeGuarded(copy);
      copies.push(copy);
    }
  }
  const [only] = copies;
  if (copies.length === 1 && only && isEmptyParagraph(only)) copies.pop();
  const sources = copies.flatMap(allBlocks).map(blockId);
  const ids = new Map(copies.flatMap(allBlocks).map((block) => [blockId(block), freshId(clock, random)]));
  for (const block of copies.flatMap(allBlocks)) {
    block.attribs['data-node-id'] = ids.get(blockId(block)) ?? freshId(clock, random);
    for (const name of Object.keys(block.attribs)) if (NOT_COPIED.test(name)) delete block.attribs[name];
  }
  const made = copies.map((copy) => serializeBlock(withOwnReferences(copy, ids)));
  const unknown = await unknownReferences(routes, made, signal, new Set(ids.values()));
  const lost = made.filter((dom) => refersToAny(dom, unknown)).length;
  return { blocks: made.map((dom) => withoutReferences(dom, unknown)), sources, hidden, lost };
}

/** References between blocks of the document lead to the copy's own blocks, as in SiYuan's own duplicate. */
function withOwnReferences(block: BlockElement, ids: ReadonlyMap<string, string>): BlockElement {
  const visit = (element: BlockElement): void => {
    const fresh = ids.get(element.attribs['data-id'] ?? '');
    if (fresh !== undefined && (element.attribs['data-type'] ?? '').includes('block-ref')) element.attribs['data-id'] = fresh;
    for (const child of element.children) if (child.type === 'tag') visit(child);
  };
  visit(block);
  return block;
}

function requireOne(dom: string): BlockElement {
  const block = parseBlock(dom);
  if (!block) throw new ToolError('kernel_refused', 'SiYuan returned a block in an unknown format', 'tell the user; nothing was written');
  return block;
}

interface Organizer extends StructurePlannerDeps {
  readonly maker: PlanMaker;
}

export async function planOrganize(deps: Organizer, request: OrganizeRequest, tool: string, signal: AbortSignal): Promise<ChangePlan> {
  const places = await locateDocuments(deps, request.ids, signal);
  const [first, second] = places;
  if (!first) throw new Error('no document was located');
  if (request.op === 'move') return planMove(deps, places, request.target ?? '', tool, signal);
  if (second) {
    const next = request.op === 'rename' ? 'rename one at a time: each has its own title' : 'duplicate one at a time';
    throw new ToolError('bad_target', `${places.length} documents cannot be ${request.op}d at once`, next);
  }
  if (request.op === 'rename') return planRename(deps, first, request.target ?? '', tool, signal);
  return planDuplicate(deps, first, tool, signal);
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

async function planRename(deps: Organizer, place: BlockLocation, target: string, tool: string, signal: AbortSignal): Promise<ChangePlan> {
  const { routes, access, maker } = deps;
  const title = checkTitle(target, 'title');
  if (title === place.documentTitle) throw new ToolError('no_change', `its title is already "${title}"`, 'leave it as it is');
  const notebook = await access.requireNotebook(place.notebook.id, 'read', signal);
  const before = await routes.pathOf(place.documentId, signal);
  const after = `${directoryOf(before)}/${title}`;
  const { readable, hidden } = await access.documentsAt(notebook.id, after, signal);
  const taken = readable.find((id) => id !== place.documentId);
  // SiYuan allows two documents at one path, but then neither can be addressed by its path.
  if (taken !== undefined)
    throw new ToolError('path_exists', 'there is already a document with that title', `choose another title (there is ${taken})`);
  const attributes = await routes.attributes(place.documentId, signal);
  const document = { id: place.documentId, title: place.documentTitle, path: before };
  return maker.finish({
    tool,
    notebook,
    document,
    planned: [
      {
        shown: {
          action: 'rename-document',
          blockId: place.documentId,
          blockType: 'd',
          before,
          after,
          path: { before: [...stepsOf(directoryOf(before)), place.documentTitle], after: [...stepsOf(directoryOf(before)), title] },
          document,
        },
        step: {
          kind: 'rename',
          documentId: place.documentId,
          before: place.documentTitle,
          untitled: attributes['custom-sy-title-empty'] === 'true',
          after: title,
          result: 'unknown',
        },
      },
    ],
    undo: { kind: 'exact' },
    notices: hiddenAtPath(hidden),
  });
}

interface Target {
  readonly notebook: NotebookInfo;
  readonly placement: DocumentPlacement;
  readonly path: string;
  /** Human-readable path, '' for the notebook itself. */
  readonly words: string;
}

async function findTarget({ routes, access }: Organizer, id: string, signal: AbortSignal): Promise<Target> {
  // A notebook at `none` gets the same answer as an unknown id.
  if ((await access.notebooks(signal)).some((each) => each.id === id && isSeen(each.right))) {
    const notebook = await access.requireNotebook(id, 'read', signal);
    access.requireTop(id);
    return { notebook, placement: { notebook: id, parent: null }, path: '/', words: '' };
  }
  if (id === '') throw new ToolError('bad_target', 'no target was given', 'give the id of a document or notebook as target');
  const place = await access.locateDocument(id, signal);
  if (place.documentId !== id)
    throw new ToolError('bad_target', `${id} is a block`, 'documents are moved below documents or notebooks; use move_blocks for blocks');
  const notebook = await access.requireNotebook(place.notebook.id, 'read', signal);
  const words = await routes.pathOf(id, signal);
  return { notebook, placement: { notebook: notebook.id, parent: id }, path: place.documentPath, words };
}

const inNotebook = (notebook: string, path: string): readonly string[] => [notebook, ...stepsOf(path)];

async function planMove(
  deps: Organizer,
  places: readonly BlockLocation[],
  targetId: string,
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const target = await findTarget(deps, targetId.trim(), signal);
  const source = await deps.access.requireNotebook(places[0]?.notebook.id ?? '', 'read', signal);
  const planned: PlannedStep[] = [];
  for (const place of withoutNested(places)) {
    const step = await planMoveOf(deps, place, source, target, signal);
    if (step) planned.push(step);
  }
  const [first] = planned;
  if (!first?.shown.document) throw new ToolError('no_change', 'it is already there', 'leave it there, or give another target');
  // A plan can raise only one right: both notebooks must be writable, so the other one must be writable already.
  const isSourceWritable = source.right === 'write' || source.right === 'delete';
  const isTargetWritable = target.notebook.right === 'write' || target.notebook.right === 'delete';
  if (source.id !== target.notebook.id && !isSourceWritable && !isTargetWritable) {
    throw new ToolError(
      'no_right',
      `"${source.name}" and "${target.notebook.name}" may only be read`,
      'ask the user to allow editing in both',
    );
  }
  return deps.maker.finish({
    tool,
    notebook: isSourceWritable ? target.notebook : source,
    document: first.shown.document,
    planned,
    undo: { kind: 'exact' },
  });
}

async function planMoveOf(
  deps: Organizer,
  place: BlockLocation,
  source: NotebookInfo,
  target: Target,
  signal: AbortSignal,
): Promise<PlannedStep | undefined> {
  const { routes } = deps;
  const id = place.documentId;
  if (`${folderOf(target.path)}/`.startsWith(`${folderOf(place.documentPath)}/`) && target.notebook.id === source.id) {
    throw new ToolError('bad_target', `document ${id} cannot be moved below itself`, 'choose a target outside it');
  }
  const before: DocumentPlacement = { notebook: source.id, parent: parentOf(place.documentPath) };
  if (before.notebook === target.placement.notebook && before.parent === target.placement.parent) return undefined;
  await assertNoneHiddenBelow(deps, { id, notebook: source.id, path: place.documentPath }, signal);
  const path = await routes.pathOf(id, signal);
  const from = inNotebook(source.name, directoryOf(path));
  const to = inNotebook(target.notebook.name, target.words);
  const after = `${target.words}/${place.documentTitle}`;
  const document = { id, title: place.documentTitle, path };
  return {
    shown: {
      action: 'move-document',
      blockId: id,
      blockType: 'd',
      before: path,
      after,
      path: { before: [...from, place.documentTitle], after: [...to, place.documentTitle] },
      document,
    },
    step: { kind: 'move', documentId: id, before, after: target.placement, from: pathWords(from), to: pathWords(to), result: 'unknown' },
  };
}

/** Drops documents below another of the list: they move with it. */
export function withoutNested(places: readonly BlockLocation[]): readonly BlockLocation[] {
  return places.filter(
    (place) => !places.some((other) => other !== place && place.documentPath.startsWith(`${folderOf(other.documentPath)}/`)),
  );
}
