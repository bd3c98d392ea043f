import { isContainer } from '../../tools/contract/block-kinds.ts';
import { isGuarded } from '../access/access-attribute.ts';
import { type BlockElement, blockId, childBlocks, parseBlock } from '../blocks/block-dom.ts';
import type { Attributes, ChildBlock, KernelRoutes } from '../kernel/kernel-routes.ts';
import { guardedSiblings } from './document-tree.ts';
import { type BlockFacts, factsOf, type TreeBlock, wordsOf } from './tree-block.ts';

export const hasReference = (markdown: string): boolean => /\(\(\d{14}-/.test(markdown);

/** The beginning of a block's text in the index; '' if it contains the text of blocks that it refers to. */
export const indexedText = (markdown: string, content: string): string => (hasReference(markdown) ? '' : content.slice(0, 200));

export interface BlockPosition {
  readonly documentId: string;
  readonly parentId: string;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/** The place for a block: as the first child of the parent, or after one of its children. */
export interface InsertionPoint {
  readonly parentId: string;
  readonly previousId: string | null;
}

/** Thrown if an answer depends on blocks that were not loaded: the caller loads the whole document instead (near-tree.ts). */
export class NotLoaded extends Error {}

/** Represents top-level blocks of a document that were not loaded. */
const GAP = 'gap';

/** Blocks of documents as a tree of ids, read once and then changed as the kernel changes them: a step knows old and new positions. */
export class BlockTree {
  private readonly blocks = new Map<string, TreeBlock>();
  private readonly documents = new Set<string>();
  private gaps = 0;
  /** The number of top-level blocks of partly loaded documents. */
  private readonly lengths = new Map<string, number>();
  /** Ids that were looked up in such documents and are in none of them. */
  private readonly absent = new Set<string>();
  /** By heading, the last block of its section, if there is a gap between. */
  private readonly sectionEnds = new Map<string, string>();
  private readonly withHeadings: boolean;

  /** `withHeadings`: in partly loaded documents, the headings above loaded blocks are loaded too. */
  constructor(withHeadings = false) {
    this.withHeadings = withHeadings;
  }

  /** `length`: the number of top-level blocks of a document that is loaded only in part. */
  addDocument(id: string, length?: number): void {
    this.documents.add(id);
    if (length !== undefined) this.lengths.set(id, length);
    const facts = { id, type: 'd', subtype: '', level: 0, folded: false, hidden: false, guarded: false, ownGuard: false, text: '' };
    this.blocks.set(id, { ...facts, parentId: '', children: [] });
  }

  hasDocument(id: string): boolean {
    return this.documents.has(id);
  }

  documentIds(): readonly string[] {
    return [...this.documents];
  }

  has(id: string): boolean {
    if (this.blocks.has(id)) return true;
    if (this.lengths.size > 0 && !this.absent.has(id)) throw new NotLoaded(`nobody looked for block ${id}`);
    return false;
  }

  /** The number of top-level blocks of a partly loaded document; undefined for a completely loaded one. */
  lengthOf(documentId: string): number | undefined {
    return this.lengths.get(documentId);
  }

  /** Adds a gap for top-level blocks that are not loaded, after those that were added last. */
  addGap(documentId: string): void {
    this.gaps += 1;
    const facts = { type: GAP, subtype: '', level: 7, folded: false, hidden: false, guarded: false, ownGuard: false, text: '' };
    this.blocks.set(`${GAP} ${this.gaps}`, { ...facts, id: `${GAP} ${this.gaps}`, parentId: documentId, children: [] });
    this.blocks.get(documentId)?.children.push(`${GAP} ${this.gaps}`);
  }

  /** Records that these ids were looked up: those that are not loaded are in none of the documents. */
  noteAsked(ids: Iterable<string>): void {
    for (const id of ids) if (!this.blocks.has(id)) this.absent.add(id);
  }

  isGap(id: string): boolean {
    return this.blocks.get(id)?.type === GAP;
  }

  typeOf(id: string): string {
    return this.blocks.get(id)?.type ?? '';
  }

  subtypeOf(id: string): string {
    return this.blocks.get(id)?.subtype ?? '';
  }

  textOf(id: string): string {
    return this.blocks.get(id)?.text ?? '';
  }

  isGuarded(id: string): boolean {
    return this.blocks.get(id)?.guarded ?? false;
  }

  isFolded(id: string): boolean {
    return this.blocks.get(id)?.folded ?? false;
  }

  parentOf(id: string): string {
    return this.blocks.get(id)?.parentId ?? '';
  }

  childrenOf(id: string): readonly string[] {
    return this.blocks.get(id)?.children ?? [];
  }

  /** Containers around a block, innermost first, the document last. */
  parentsOf(id: string): string[] {
    const parents: string[] = [];
    for (let at = this.parentOf(id); at !== ''; at = this.parentOf(at)) parents.push(at);
    return parents;
  }

  documentOf(id: string): string {
    return this.documents.has(id) ? id : (this.parentsOf(id).at(-1) ?? '');
  }

  isInside(id: string, ancestor: string): boolean {
    return this.parentsOf(id).includes(ancestor);
  }

  descendantsOf(id: string): string[] {
    return this.childrenOf(id).flatMap((child) => [child, ...this.descendantsOf(child)]);
  }

  positionOf(id: string): BlockPosition | undefined {
    const block = this.blocks.get(id);
    if (!block || block.parentId === '') return undefined;
    const siblings = this.childrenOf(block.parentId);
    const index = siblings.indexOf(id);
    this.requireLoaded(siblings.slice(Math.max(0, index - 1), index + 2));
    return {
      documentId: this.documentOf(id),
      parentId: block.parentId,
      previousId: siblings[index - 1] ?? null,
      nextId: siblings[index + 1] ?? null,
    };
  }

  /** The blocks of a heading's section: they are its siblings, not its children. */
  sectionOf(heading: string): string[] {
    const own = this.blocks.get(heading);
    if (own?.type !== 'h') return [];
    const siblings = this.childrenOf(own.parentId);
    const rest = siblings.slice(siblings.indexOf(heading) + 1);
    const end = rest.findIndex((id) => (this.blocks.get(id)?.level ?? 7) <= own.level);
    const section = end < 0 ? rest : rest.slice(0, end);
    this.requireLoaded(section);
    return section;
  }

  /** The last blocks of a heading's section, as far as they are loaded; empty if it has none. */
  sectionTail(heading: string): string[] {
    const last = this.sectionEnds.get(heading);
    if (last === undefined) return this.sectionOf(heading);
    const siblings = this.childrenOf(this.parentOf(heading)).slice(0, this.childrenOf(this.parentOf(heading)).indexOf(last) + 1);
    const since = siblings.findLastIndex((id) => id === heading || this.isGap(id));
    // For callers that expect none of these, the gap indicates that there are more.
    return siblings.slice(siblings[since] === heading ? since + 1 : since);
  }

  /** The index knows where a section ends beyond a gap; the loaded blocks there must agree. */
  noteSection(heading: string, last: string): void {
    const own = this.blocks.get(heading);
    const siblings = this.childrenOf(own?.parentId ?? '');
    const [from, to] = [siblings.indexOf(heading), siblings.indexOf(last)];
    if (!own || !this.documents.has(own.parentId) || to <= from || !siblings.slice(from, to).some((id) => this.isGap(id))) return;
    const next = siblings[to + 1];
    if (next !== undefined && (this.isGap(next) || (this.blocks.get(next)?.level ?? 7) > own.level))
      throw new NotLoaded('a section does not end where the index has it');
    this.sectionEnds.set(heading, last);
  }

  hiddenBelow(heading: string): string[] {
    return this.isFolded(heading) ? this.sectionOf(heading).filter((id) => this.blocks.get(id)?.hidden) : [];
  }

  /** The block after which the kernel really puts a block for "after `id`": a folded heading represents its section. */
  landing(id: string, action: 'insert' | 'move'): string {
    if (!this.isFolded(id)) return id;
    return (action === 'insert' ? this.sectionOf(id) : this.hiddenBelow(id)).at(-1) ?? id;
  }

  /** True if the editor hides it: the block, or its container, is below a folded heading. */
  isCovered(id: string): boolean {
    return [id, ...this.parentsOf(id)].some((each) => this.isBelowFold(each));
  }

  private isBelowFold(id: string): boolean {
    for (let above = this.nearestAbove(id); above !== undefined; above = this.nearestAbove(above)) if (this.isFolded(above)) return true;
    return false;
  }

  /** The innermost heading whose section contains a block. */
  headingAbove(id: string): string | undefined {
    const siblings = this.childrenOf(this.parentOf(id));
    const above = this.nearestAbove(id);
    const since = above === undefined ? 0 : siblings.indexOf(above);
    if (!this.withHeadings) this.requireLoaded(siblings.slice(since, siblings.indexOf(id)));
    return above;
  }

  /** Considers loaded blocks only: in a partly loaded document no heading is folded or guarded. */
  private nearestAbove(id: string): string | undefined {
    const siblings = this.childrenOf(this.parentOf(id));
    const level = this.blocks.get(id)?.level ?? 7;
    return siblings.slice(0, siblings.indexOf(id)).findLast((each) => (this.blocks.get(each)?.level ?? 7) < level);
  }

  /** True in the section of a guarded heading, including the heading: whatever is put there is hidden too. */
  isUnderGuardedHeading(id: string): boolean {
    if (this.typeOf(id) === 'h' && this.isGuarded(id)) return true;
    for (let above = this.nearestAbove(id); above !== undefined; above = this.nearestAbove(above)) if (this.isGuarded(above)) return true;
    return false;
  }

  /** The outermost blocks that have the mark of a folded section but are in none. */
  buried(): string[] {
    const isMarked = (id: string): boolean => this.blocks.get(id)?.hidden ?? false;
    return [...this.blocks.keys()].filter((id) => isMarked(id) && !isMarked(this.parentOf(id)) && !this.isCovered(id));
  }

  /** Removes the mark of a folded section from a block and all blocks in it. A heading that hides blocks of its own stays folded. */
  uncover(id: string): void {
    if (!this.blocks.get(id)?.hidden) return;
    const hides = this.hiddenBelow(id).length > 0;
    for (const each of [id, ...this.descendantsOf(id)]) {
      const block = this.blocks.get(each);
      if (!block?.hidden) continue;
      block.hidden = false;
      block.folded &&= each === id && hides;
    }
  }

  /** Replaces the block by another one with the same id; its children are not considered. */
  update(element: BlockElement): void {
    const block = this.blocks.get(blockId(element));
    if (!block) return;
    const facts = factsOf(element, block.guarded);
    this.requirePlain(facts, block.parentId);
    const { type, level, folded, hidden, subtype } = facts;
    Object.assign(block, { type, level, folded, hidden, subtype });
  }

  /** Blocks that the user currently keeps back: guarded ones, and those in them or in the section of a guarded heading. */
  guardedIds(): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (id: string, inherited: boolean): void => {
      let section: number | undefined;
      for (const child of this.childrenOf(id)) {
        const block = this.blocks.get(child);
        if (!block) continue;
        const isHeading = block.type === 'h';
        if (isHeading && block.ownGuard) section = Math.min(section ?? 7, block.level);
        else if (isHeading && section !== undefined && block.level <= section) section = undefined;
        const guarded = inherited || block.ownGuard || section !== undefined;
        if (guarded) found.add(child);
        visit(child, guarded);
      }
    };
    for (const document of this.documents) visit(document, false);
    return found;
  }

  private requireLoaded(ids: readonly string[]): void {
    if (this.gaps > 0 && ids.some((id) => this.isGap(id))) throw new NotLoaded('the answer reaches into what was not loaded');
  }

  /** Folds and guards affect blocks that are not loaded: documents with any must be loaded completely. */
  private requirePlain({ folded, hidden, ownGuard }: BlockFacts, parentId: string): void {
    if ((folded || hidden || ownGuard) && this.lengths.has(this.documentOf(parentId)))
      throw new NotLoaded('a fold or a guard in a document that is not here as a whole');
  }

  ids(): ReadonlySet<string> {
    return new Set(this.blocks.keys());
  }

  remove(id: string): void {
    const block = this.blocks.get(id);
    if (!block) return;
    this.detach(id);
    for (const each of this.descendantsOf(id)) this.blocks.delete(each);
    this.blocks.delete(id);
  }

  insert(element: BlockElement, place: InsertionPoint): void {
    this.grow(element, place.parentId, this.isGuarded(place.parentId));
    this.attach([blockId(element)], place);
  }

  /** Moves a block as the kernel does: a folded heading takes along what it hides. */
  move(id: string, place: InsertionPoint): void {
    const along = this.hiddenBelow(id);
    for (const each of [id, ...along]) this.detach(each);
    this.attach([id, ...along], place);
  }

  /** Adds a top-level block of a partly loaded document, during loading. */
  addLoaded(documentId: string, element: BlockElement): void {
    this.grow(element, documentId, false);
    this.blocks.get(documentId)?.children.push(blockId(element));
  }

  /** Adds a top-level heading of such a document, above what is loaded. */
  addHeading(documentId: string, { id, level, text }: { readonly id: string; readonly level: number; readonly text: string }): void {
    const plain = { folded: false, hidden: false, guarded: false, ownGuard: false };
    this.blocks.set(id, { id, type: 'h', subtype: `h${level}`, level, text, ...plain, parentId: documentId, children: [] });
    this.blocks.get(documentId)?.children.push(id);
  }

  /** Adds a top-level block of a document, during loading; `element` is given for containers. */
  addTop(documentId: string, child: ChildBlock, attributes: Attributes, guarded: boolean, element: BlockElement | undefined): void {
    const ownGuard = isGuarded(attributes);
    const level = child.type === 'h' ? Number(child.subType.slice(1)) || 6 : 7;
    const facts: BlockFacts = {
      id: child.id,
      type: child.type,
      subtype: child.subType,
      level,
      folded: child.type === 'h' && attributes.fold === '1',
      hidden: attributes['heading-fold'] === '1',
      guarded,
      ownGuard,
      text: element ? wordsOf(element) : indexedText(child.markdown, child.content),
    };
    this.blocks.set(child.id, { ...facts, parentId: documentId, children: [] });
    this.blocks.get(documentId)?.children.push(child.id);
    if (element) this.growChildren(element, child.id, guarded);
  }

  private grow(element: BlockElement, parentId: string, guarded: boolean): void {
    const facts = factsOf(element, guarded);
    this.requirePlain(facts, parentId);
    this.blocks.set(facts.id, { ...facts, parentId, children: [] });
    this.growChildren(element, facts.id, guarded);
  }

  private growChildren(element: BlockElement, parentId: string, guarded: boolean): void {
    const children = childBlocks(element);
    const kept = guardedSiblings(children);
    for (const child of children) {
      this.grow(child, parentId, guarded || kept.has(child));
      this.blocks.get(parentId)?.children.push(blockId(child));
    }
  }

  private detach(id: string): void {
    const parent = this.blocks.get(this.parentOf(id));
    const index = parent?.children.indexOf(id) ?? -1;
    if (index >= 0) parent?.children.splice(index, 1);
  }

  private attach(ids: readonly string[], place: InsertionPoint): void {
    const parent = this.blocks.get(place.parentId);
    if (!parent) throw new Error(`there is no block ${place.parentId} to put something into`);
    if (place.previousId !== null) this.requireLoaded([place.previousId]);
    const index = place.previousId === null ? 0 : parent.children.indexOf(place.previousId) + 1;
    if (index === 0 && place.previousId !== null) throw new Error(`block ${place.previousId} is not in ${place.parentId}`);
    parent.children.splice(index, 0, ...ids);
    for (const id of ids) {
      const block = this.blocks.get(id);
      if (block) block.parentId = place.parentId;
    }
  }
}

async function addDocument(tree: BlockTree, routes: KernelRoutes, id: string, signal: AbortSignal): Promise<void> {
  const children = await routes.children(id, signal);
  const [attributes, doms] = await Promise.all([
    routes.attributesOf(
      children.map((child) => child.id),
      signal,
    ),
    routes.doms(
      children.filter((child) => isContainer(child.type)).map((child) => child.id),
      signal,
    ),
  ]);
  tree.addDocument(id);
  let guardedLevel: number | undefined;
  for (const child of children) {
    const own = attributes[child.id] ?? {};
    const level = child.type === 'h' ? Number(child.subType.slice(1)) || 6 : 7;
    if (child.type === 'h') {
      if (isGuarded(own)) guardedLevel = Math.min(guardedLevel ?? 7, level);
      else if (guardedLevel !== undefined && level <= guardedLevel) guardedLevel = undefined;
    }
    tree.addTop(id, child, own, isGuarded(own) || guardedLevel !== undefined, parseBlock(doms[child.id] ?? ''));
  }
}

/** Reads the current documents: three requests each, however many blocks are needed. */
export async function loadTree(
  routes: KernelRoutes,
  documentIds: Iterable<string>,
  signal: AbortSignal,
  tree = new BlockTree(),
): Promise<BlockTree> {
  for (const id of new Set(documentIds)) await addDocument(tree, routes, id, signal);
  return tree;
}
