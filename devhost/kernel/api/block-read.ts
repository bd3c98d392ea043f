import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import type { RouteTable } from '../router.ts';
import { breadcrumb } from '../tree/breadcrumb.ts';
import { contentOf, isContainer } from '../tree/content.ts';
import { namingFolds } from '../tree/folds.ts';
import { isBlock, type KernelNode, type NodePlace, typeAbbreviation } from '../tree/node.ts';
import { referenceText } from '../tree/reference-text.ts';
import { blockDOM, kramdown, standardMarkdown, statistics } from '../tree/render.ts';
import { childrenOfHeading, countBlocks, isHeading, subTypeOf } from '../tree/structure.ts';
import { blockFinder, type FoundBlock, findInKernel as find } from './find-block.ts';
import { hasPage, pageBlocks, pageInfo } from './notebook-page.ts';
import { nodeId, text, textList } from './parameters.ts';

function domOf(place: NodePlace): string {
  return blockDOM(namingFolds(place), place.parent?.Type === 'NodeDocument');
}

type ListedBlock = ReturnType<typeof list>;

/** Rendering a long document takes a second, and a reader asks for every page of it: what was rendered lives as long as its tree. */
const rendered = new WeakMap<KernelNode, ListedBlock>();

function listed(node: KernelNode): ListedBlock {
  const block = rendered.get(node) ?? list(node);
  rendered.set(node, block);
  return block;
}

/** A child as `getChildBlocks` lists it; empty fields are left out. */
function list(node: KernelNode) {
  const [subType, content, markdown] = [subTypeOf(node), contentOf(node), standardMarkdown(node)];
  const type = typeAbbreviation(node.Type);
  return { id: node.ID, type, ...(subType && { subType }), ...(content && { content }), ...(markdown && { markdown }) };
}

function children(place: NodePlace): KernelNode[] {
  if (isHeading(place.node)) return childrenOfHeading(place);
  return isContainer(place.node) ? (place.node.Children ?? []).filter(isBlock) : [];
}

function kramdownOf(found: FoundBlock | undefined, mode: unknown): string {
  return found ? kramdown(found.node, mode === 'textmark' ? 'textmark' : 'md') : '';
}

/** Neighbours of a block, as the editor asks for them. */
function treeInfo(place: NodePlace) {
  const siblings = (place.parent?.Children ?? []).filter(isBlock);
  const at = siblings.indexOf(place.node);
  const side = (node: KernelNode | null | undefined) => [node?.ID ?? '', node?.Type ?? ''];
  const [parentID, parentType] = side(place.parent);
  const [previousID, previousType] = side(siblings[at - 1]);
  const [nextID, nextType] = side(at < 0 ? undefined : siblings[at + 1]);
  return { id: place.node.ID, type: place.node.Type, parentID, parentType, previousID, previousType, nextID, nextType };
}

function mapped<T>(ids: readonly string[], kernel: Kernel, make: (found: FoundBlock) => T): Record<string, T> {
  const findOne = blockFinder(kernel);
  const entries = ids.flatMap((id) => {
    const found = findOne(id);
    return found ? [[id, make(found)] as const] : [];
  });
  return Object.fromEntries(entries);
}

export const blockReadRoutes: RouteTable = {
  '/api/block/getChildBlocks': (body, { kernel }) => {
    const id = nodeId(body, 'id');
    if (hasPage(kernel, id)) return pageBlocks(id);
    const found = find(kernel, id);
    return found ? children(found).map(listed) : [];
  },

  '/api/block/getTailChildBlocks': (body, { kernel }) => {
    const found = find(kernel, nodeId(body, 'id'));
    const count = typeof body.n === 'number' && body.n > 0 ? body.n : 7;
    return found ? children(found).slice(-count).reverse().map(listed) : [];
  },

  '/api/block/getBlockDOM': (body, { kernel }) => {
    const id = text(body, 'id');
    const found = find(kernel, id);
    return { id, dom: found ? domOf(found) : '' };
  },

  '/api/block/getBlockDOMs': (body, { kernel }) => mapped(textList(body, 'ids'), kernel, domOf),

  '/api/block/getBlockKramdown': (body, { kernel }) => {
    const id = nodeId(body, 'id');
    return { id, kramdown: kramdownOf(find(kernel, id), body.mode) };
  },

  '/api/block/getBlockKramdowns': (body, { kernel }) => {
    const ids = textList(body, 'ids');
    const findOne = blockFinder(kernel);
    return { kramdowns: Object.fromEntries(ids.map((id) => [id, kramdownOf(findOne(id), body.mode)])) };
  },

  '/api/block/checkBlockExist': (body, { kernel }) => {
    const id = text(body, 'id');
    return kernel.documents.block(id) !== undefined || hasPage(kernel, id);
  },

  '/api/block/checkBlocksExist': (body, { kernel }) =>
    Object.fromEntries(textList(body, 'ids').map((id) => [id, kernel.documents.block(id) !== undefined])),

  '/api/block/getBlockInfo': (body, { kernel }) => {
    const id = text(body, 'id');
    if (hasPage(kernel, id)) return pageInfo(kernel, id);
    const found = find(kernel, id);
    const entry = found && kernel.documents.entry(found.document.root.ID ?? '');
    if (!found || !entry) throw new ApiError(-1, `Content block with id [${id}] not found`);
    const { notebook: box, path, id: rootID, title: rootTitle, attributes } = entry;
    const rootTitleEmpty = attributes['custom-sy-title-empty'] === 'true';
    return { box, path, rootID, rootTitle, rootTitleEmpty, rootChildID: rootID, rootIcon: attributes.icon ?? '' };
  },

  '/api/block/getDocInfo': (body, { kernel }) => {
    const id = text(body, 'id');
    const found = find(kernel, id);
    if (!found) throw new ApiError(-1, `Content block with id [${id}] not found`);
    const entry = kernel.documents.entry(found.document.root.ID ?? '');
    const subFileCount = entry ? kernel.documents.childCount(entry.notebook, entry.path) : 0;
    const shared = { id: entry?.id, rootID: entry?.id, name: entry?.title, icon: entry?.attributes.icon ?? '' };
    return { ...shared, ial: entry?.attributes ?? {}, refCount: 0, refIDs: [], subFileCount, attrViews: [] };
  },

  '/api/block/getBlockBreadcrumb': (body, { kernel }) => {
    const found = find(kernel, text(body, 'id'));
    if (!found) return [];
    const { document } = found;
    return breadcrumb(document.root, found.node.ID ?? '', `${kernel.notebooks.conf(document.notebook).name}${document.hpath}`);
  },

  '/api/block/getBlockTreeInfos': (body, { kernel }) => mapped(textList(body, 'ids'), kernel, treeInfo),

  '/api/block/getBlockSiblingID': (body, { kernel }) => {
    const found = find(kernel, text(body, 'id'));
    const info = found && treeInfo(found);
    return { parent: info?.parentID ?? '', previous: info?.previousID ?? '', next: info?.nextID ?? '' };
  },

  '/api/block/getHeadingChildrenIDs': (body, { kernel }) => {
    const found = find(kernel, text(body, 'id'));
    return found && isHeading(found.node) ? childrenOfHeading(found).map((n) => n.ID) : [];
  },

  '/api/block/getRefText': (body, { kernel }) => {
    const id = nodeId(body, 'id');
    const found = find(kernel, id);
    return found ? referenceText(found.node) || id : 'block not found';
  },

  '/api/block/getTreeStat': (body, { kernel }) => {
    const found = find(kernel, nodeId(body, 'id'));
    if (!found) return { stat: null, reqId: body.reqId ?? null };
    const { root } = found.document;
    const [runeCount, wordCount, linkCount, imageCount, refCount] = statistics(root);
    const stat = { runeCount, wordCount, linkCount, imageCount, refCount, blockCount: countBlocks(root) };
    return { stat, reqId: body.reqId ?? null };
  },
};
