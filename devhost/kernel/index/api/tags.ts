import type { RouteTable } from '../../router.ts';
import { searchTags, tagTree } from '../tags.ts';

/** Both answer what is true now: the kernel flushes its queue before it looks. */
export const tagRoutes: RouteTable = {
  '/api/tag/getTag': (body, { kernel }) => {
    kernel.indexQueue.flush();
    return tagTree(kernel.index, typeof body.sort === 'number' ? body.sort : 0);
  },

  '/api/search/searchTag': (body, { kernel }) => {
    kernel.indexQueue.flush();
    const keyword = String(body.k ?? '');
    return { tags: searchTags(kernel.index, keyword), k: keyword };
  },
};
