import { ApiError } from '../api-error.ts';
import { cleanTitle } from '../file-tree.ts';
import type { Kernel } from '../kernel.ts';
import type { RouteTable } from '../router.ts';
import type { Notebook, NotebookConf } from '../store/notebooks.ts';
import { nodeId, requiredText, text } from './parameters.ts';

const CLOSE_SOON = { closeTimeout: 5000 };

/** A notebook as listings show it (kernel model.Box). */
function boxOf(kernel: Kernel, { id, conf }: Notebook) {
  const { name, icon, sort, sortMode, closed } = conf;
  const subFileCount = kernel.documents.childCount(id, '/');
  return {
    id,
    name,
    icon,
    sort,
    sortMode,
    closed,
    newFlashcardCount: 0,
    dueFlashcardCount: 0,
    flashcardCount: 0,
    subFileCount,
    encrypted: false,
    unlocked: false,
  };
}

function save(kernel: Kernel, id: string, change: Partial<NotebookConf>): Notebook {
  const conf = { ...kernel.notebooks.conf(id), ...change };
  kernel.notebooks.save(id, conf);
  return { id, conf };
}

function known(kernel: Kernel, id: string): Notebook {
  const found = kernel.notebooks.find(id);
  if (!found) throw new ApiError(-1, `notebook [${id}] not found`);
  return found;
}

function open(kernel: Kernel, id: string): Notebook {
  if (!kernel.notebooks.find(id)) throw new ApiError(-1, 'can not open file, just support open folder only');
  const opened = save(kernel, id, { closed: false });
  kernel.documents.closeNotebook(id);
  kernel.loadNotebook(id);
  return opened;
}

export const notebookRoutes: RouteTable = {
  '/api/notebook/lsNotebooks': (_body, { kernel }) => ({
    notebooks: kernel.notebooks.list().map((n) => boxOf(kernel, n)),
    boxDocEnabled: true,
  }),

  '/api/notebook/createNotebook': {
    writes: true,
    handle: (body, { kernel }) => {
      const created = kernel.notebooks.create(cleanTitle(requiredText(body, 'name')));
      const box = boxOf(kernel, open(kernel, created.id));
      kernel.pushes.push({ cmd: 'createnotebook', data: { box, existed: false } });
      return { notebook: box };
    },
  },

  '/api/notebook/openNotebook': {
    writes: true,
    handle: (body, { kernel }) => {
      const box = boxOf(kernel, open(kernel, nodeId(body, 'notebook')));
      kernel.pushes.push({ cmd: 'mount', data: { box, existed: false } });
      return null;
    },
  },

  '/api/notebook/closeNotebook': {
    writes: true,
    handle: (body, { kernel }) => {
      const id = nodeId(body, 'notebook');
      if (!kernel.notebooks.find(id)) return null;
      save(kernel, id, { closed: true });
      kernel.unloadNotebook(id);
      kernel.pushes.push({ cmd: 'unmount', data: { box: id } });
      return null;
    },
  },

  '/api/notebook/renameNotebook': {
    writes: true,
    handle: (body, { kernel }) => {
      const id = nodeId(body, 'notebook');
      const name = cleanTitle(text(body, 'name'), CLOSE_SOON) || 'Untitled';
      // A closed notebook is refused like one that is not there.
      if (!kernel.notebooks.isOpen(id)) throw new ApiError(-1, 'Query notebook failed', CLOSE_SOON);
      save(kernel, id, { name });
      kernel.indexQueue.add((index) => index.putNotebook({ id, name }));
      kernel.pushes.push({ cmd: 'renamenotebook', data: { box: id, name } });
      return null;
    },
  },

  '/api/notebook/removeNotebook': {
    writes: true,
    handle: (body, { kernel }) => {
      const id = nodeId(body, 'notebook');
      if (!kernel.notebooks.find(id)) return null;
      kernel.history.keepNotebook(id, kernel.notebooks.folder(id));
      kernel.unloadNotebook(id);
      kernel.notebooks.remove(id);
      kernel.pushes.push({ cmd: 'removeBox', data: { box: id } });
      return null;
    },
  },

  '/api/notebook/getNotebookConf': (body, { kernel }) => {
    const { id, conf } = known(kernel, nodeId(body, 'notebook'));
    return { box: id, name: conf.name, conf };
  },

  '/api/notebook/setNotebookConf': {
    writes: true,
    handle: (body, { kernel }) => {
      const { id } = known(kernel, nodeId(body, 'notebook'));
      const conf = body.conf && typeof body.conf === 'object' ? (body.conf as Partial<NotebookConf>) : {};
      return save(kernel, id, { ...conf, encrypted: false, boxCrypt: null }).conf;
    },
  },

  '/api/notebook/setNotebookIcon': {
    writes: true,
    handle: (body, { kernel }) => {
      save(kernel, known(kernel, nodeId(body, 'notebook')).id, { icon: text(body, 'icon') });
      return null;
    },
  },
};
