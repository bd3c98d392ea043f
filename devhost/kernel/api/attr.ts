import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import type { RequestBody, RouteTable } from '../router.ts';
import { applyAttributes, plainAttributes } from '../tree/attributes.ts';
import { findBlock, type KernelDocument, type KernelNode } from '../tree/node.ts';
import { refreshUpdated } from '../tree/structure.ts';
import { blockFinder, findInKernel } from './find-block.ts';
import { MissingParameter, nodeId, textList } from './parameters.ts';

function attributesOf(kernel: Kernel, id: string): Record<string, string> | undefined {
  const node = findInKernel(kernel, id)?.node;
  return node && shownAttributes(kernel, id, node);
}

/** Right after a renaming they still hold the old title. */
function shownAttributes(kernel: Kernel, id: string, node: KernelNode): Record<string, string> {
  const title = kernel.fileTree.oldTitle(id);
  return { ...plainAttributes(node), ...(title !== undefined && { title }) };
}

/** `null` deletes like the empty string. */
function valuesOf(body: RequestBody): Record<string, string> {
  const { attrs } = body;
  if (!attrs || typeof attrs !== 'object') throw new MissingParameter('attrs');
  const values = Object.entries(attrs).map(([name, value]) => {
    if (value !== null && typeof value !== 'string') throw new ApiError(-1, `the value of attr [${name}] must be a string`);
    return [name, value ?? ''] as const;
  });
  return Object.fromEntries(values);
}

/** Changes attributes of one block in `document`, or throws the kernel's message having changed nothing on disk. */
function change(document: KernelDocument, id: string, values: Readonly<Record<string, string>>): void {
  const node = findBlock(document.root, id)?.node;
  if (!node) throw new ApiError(-1, `Content block with id [${id}] not found`);
  const problem = applyAttributes(node, values);
  if (problem !== undefined) throw new ApiError(-1, problem);
  refreshUpdated(document.root, node);
}

function setAll(kernel: Kernel, changes: readonly { id: string; values: Record<string, string> }[]): null {
  const documents = new Map<string, KernelDocument>();
  for (const { id, values } of changes) {
    const rootId = kernel.documents.block(id)?.rootId ?? '';
    const document = documents.get(rootId) ?? kernel.documents.load(rootId);
    if (!document) throw new ApiError(-1, 'tree not found');
    documents.set(rootId, document);
    change(document, id, values);
  }
  const before = changes.map(({ id }) => attributesOf(kernel, id) ?? {});
  kernel.transactions.commit([...documents.values()]);
  for (const { id } of changes) kernel.fileTree.forgetOldTitle(id);
  for (const [i, { id }] of changes.entries()) {
    const data = { old: before[i], new: attributesOf(kernel, id) ?? {} };
    const event = { doOperations: [{ action: 'updateAttrs', id, data }], undoOperations: [] };
    kernel.pushes.push({ cmd: 'transactions', data: [event] });
  }
  return null;
}

export const attributeRoutes: RouteTable = {
  '/api/attr/getBlockAttrs': (body, { kernel }) => attributesOf(kernel, nodeId(body, 'id')) ?? {},

  '/api/attr/batchGetBlockAttrs': (body, { kernel }) => {
    const find = blockFinder(kernel);
    const entries = textList(body, 'ids').flatMap((id) => {
      const node = find(id)?.node;
      return node ? [[id, shownAttributes(kernel, id, node)] as const] : [];
    });
    return Object.fromEntries(entries);
  },

  '/api/attr/setBlockAttrs': {
    writes: true,
    handle: (body, { kernel }) => setAll(kernel, [{ id: nodeId(body, 'id'), values: valuesOf(body) }]),
  },

  '/api/attr/batchSetBlockAttrs': {
    writes: true,
    handle: (body, { kernel }) => {
      if (!Array.isArray(body.blockAttrs)) throw new MissingParameter('blockAttrs');
      const items = body.blockAttrs as RequestBody[];
      return setAll(
        kernel,
        items.map((item) => ({ id: nodeId(item, 'id'), values: valuesOf(item) })),
      );
    },
  },
};
