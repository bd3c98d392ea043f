import { ApiError } from '../api-error.ts';
import type { HistoryItem } from '../history.ts';
import type { Kernel } from '../kernel.ts';
import type { RequestBody, RouteTable } from '../router.ts';
import { idOfPath } from '../store/documents.ts';
import { blocksDOM } from '../tree/render.ts';
import { documentOf, optionalText, requiredText } from './parameters.ts';

const PAGE = 32;
/** "Search by document id"; the notebook is no condition then. */
const BY_ID = 3;

/** Copies that match `{query, notebook, op, type}`; `all` and `%` are no condition. */
function matching(kernel: Kernel, body: RequestBody): HistoryItem[] {
  const any = (value: string): boolean => ['', 'all', '%'].includes(value);
  const [query, notebook, op] = [optionalText(body, 'query'), optionalText(body, 'notebook'), optionalText(body, 'op')];
  if (body.type === BY_ID) {
    return kernel.history.items().filter((item) => idOfPath(item.documentPath) === query && (any(op) || item.op === op));
  }
  return kernel.history
    .items()
    .filter((item) => (any(notebook) || item.notebook === notebook) && (any(op) || item.op === op))
    .filter((item) => query === '' || item.title.includes(query) || item.path.includes(query));
}

function known(kernel: Kernel, body: RequestBody): HistoryItem {
  const item = kernel.history.find(requiredText(body, 'historyPath'));
  if (!item) throw new ApiError(-1, 'history item not found');
  return item;
}

export const historyRoutes: RouteTable = {
  '/api/history/createDocHistory': {
    writes: true,
    handle: (body, { kernel }) => {
      const entry = documentOf(kernel, requiredText(body, 'id'));
      kernel.history.keep('update', [kernel.fileTree.fileOf(entry)]);
      return null;
    },
  },

  // Only documents (types 0, 1 and 3) have a history here. The kernel hears of new copies about two seconds late; here they are known at once.
  '/api/history/searchHistory': (body, { kernel }) => {
    const stamps = [...new Set(matching(kernel, body).map((item) => String(item.created)))];
    const page = typeof body.page === 'number' ? body.page : 1;
    const pageCount = Math.ceil(stamps.length / PAGE);
    return { histories: stamps.slice((page - 1) * PAGE, page * PAGE), pageCount, totalCount: stamps.length };
  },

  '/api/history/getHistoryItems': (body, { kernel }) => {
    const created = requiredText(body, 'created');
    const items = matching(kernel, body).filter((item) => String(item.created) === created);
    return { items: items.slice(0, PAGE).map(({ title, path, op, notebook }) => ({ title, path, op, notebook })) };
  },

  '/api/history/getDocHistoryContent': (body, { kernel }) => {
    const root = kernel.history.root(known(kernel, body));
    return { id: root.ID, rootID: root.ID, content: blocksDOM(root.Children ?? []), isLargeDoc: false };
  },

  '/api/history/rollbackDocHistory': {
    writes: true,
    handle: (body, { kernel }) => {
      const item = known(kernel, body);
      const current = kernel.documents.entry(kernel.history.root(item).ID ?? '');
      if (current) kernel.history.keep('update', [kernel.fileTree.fileOf(current)]);
      kernel.fileTree.restore(current?.notebook ?? item.notebook, current?.path ?? item.documentPath, kernel.history.root(item));
      return null;
    },
  },
};
