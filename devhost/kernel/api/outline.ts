import type { RouteTable } from '../router.ts';
import type { KernelDocument } from '../tree/node.ts';
import { type OutlineHeading, outlineOf } from '../tree/outline.ts';
import { subTypeOf } from '../tree/structure.ts';
import { findInKernel } from './find-block.ts';
import { hasPage } from './notebook-page.ts';
import { nodeId } from './parameters.ts';

/** Fields of the kernel's general shape of a block that an outline leaves empty. */
const EMPTY_TEXTS = {
  hPath: '',
  parentID: '',
  name: '',
  alias: '',
  memo: '',
  tag: '',
  fcontent: '',
  markdown: '',
  refText: '',
  defID: '',
  defPath: '',
  created: '',
  updated: '',
};
const EMPTY_OTHERS = { refs: null, ial: null, refCount: 0, sort: 0, riffCardID: '', riffCard: null };

function belowHeading(entry: OutlineHeading, document: KernelDocument, depth: number): object {
  const { heading, label, below } = entry;
  return {
    ...EMPTY_TEXTS,
    ...EMPTY_OTHERS,
    id: heading.ID,
    box: document.notebook,
    path: document.path,
    rootID: document.root.ID,
    content: label,
    folded: false,
    type: heading.Type,
    subType: subTypeOf(heading),
    children: below.length > 0 ? below.map((each) => belowHeading(each, document, depth + 1)) : null,
    depth,
    count: below.length,
  };
}

/** The top of the outline has a shape of its own. */
function topHeading({ heading, label, below }: OutlineHeading, document: KernelDocument): object {
  return {
    id: heading.ID,
    box: document.notebook,
    name: label,
    hPath: '',
    type: 'outline',
    nodeType: heading.Type,
    subType: subTypeOf(heading),
    ...(below.length > 0 && { blocks: below.map((each) => belowHeading(each, document, 1)) }),
    depth: 0,
    count: below.length,
    folded: false,
    updated: '',
    created: '',
  };
}

export const outlineRoutes: RouteTable = {
  /** Of the document of a block. Without headings it answers `null`, for an id that nobody has an empty list. */
  '/api/outline/getDocOutline': (body, { kernel }) => {
    const id = nodeId(body, 'id');
    if (hasPage(kernel, id)) return null;
    const found = findInKernel(kernel, id);
    if (!found) return [];
    const outline = outlineOf(found.document, body.preview === true);
    return outline.length > 0 ? outline.map((entry) => topHeading(entry, found.document)) : null;
  },
};
