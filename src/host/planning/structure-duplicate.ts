import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { BlockLocation } from '../access/access.ts';
import { allBlocks, type BlockElement, blockId, freshId, parseBlock, serializeBlock, writableDom } from '../blocks/block-dom.ts';
import { isEmptyParagraph } from '../blocks/emptied-container.ts';
import { existingContent } from '../content/active-content.ts';
import { findPath } from '../documents/document-target.ts';
import { parentOf } from '../documents/structure-documents.ts';
import { refersToAny, unknownReferences, withoutReferences } from '../transactions/lost-references.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';
import { guardedSections, isGuardedElement, removeGuarded } from '../tree/document-tree.ts';
import { counted, hiddenAtPath, neededRight, type PlanMaker, type StructurePlannerDeps, stepsOf } from './structure-plan.ts';

/** Attributes that belong to one block only: database rows, flashcards, the chat that wrote it, its guard. */
const NOT_COPIED = /^(custom-(avs|riff-decks|ai-access|marginalia-.+|sy-av-.+)|av-names)$/;
/** Attributes that every document has. */
const DOCUMENTS_OWN = new Set(['id', 'title', 'type', 'updated', 'scroll']);

/**
 * A copy of a document next to it. SiYuan's own duplicateDoc is not recorded: an empty document is created and filled through the ordinary
 * insert pipeline, whose undo removes it again. Shown as one operation: nobody reviews a copy block by block.
 */
export async function planDuplicate(
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
