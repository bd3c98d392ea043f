import { ApiError } from '../api-error.ts';
import type { RouteTable } from '../router.ts';
import { exportDocument } from '../tree/export.ts';
import { findBlock } from '../tree/node.ts';
import { nodeId } from './parameters.ts';

export const exportRoutes: RouteTable = {
  '/api/export/exportMdContent': (body, { kernel }) => {
    const id = nodeId(body, 'id');
    const document = kernel.documents.loadByBlock(id);
    const node = document && findBlock(document.root, id)?.node;
    if (!document || !node) throw new ApiError(-1, 'tree not found');
    const withTitle = body.addTitle !== false;
    return { hPath: document.hpath, content: exportDocument(document.root, { withTitle, withFrontMatter: body.yfm !== false }) };
  },
};
