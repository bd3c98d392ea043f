import { extname } from 'node:path';
import { ApiError } from '../api-error.ts';
import { dailyNotePath } from '../daily-note.ts';
import type { Kernel } from '../kernel.ts';
import type { RequestBody, RouteTable } from '../router.ts';
import type { DocumentEntry } from '../store/documents.ts';
import { ID_PATTERN } from '../tree/node.ts';
import { domOfMarkdown } from '../tree/render.ts';
import { setAttribute } from '../tree/structure.ts';
import { createdOf, readableTime, timestamp, unixSeconds } from '../tree/time.ts';
import { hasPage } from './notebook-page.ts';
import { documentOf, MissingParameter, nodeId, optionalText, text, textList } from './parameters.ts';

const CLOSE_LATER = { closeTimeout: 7000 };

/** A document as listings show it (kernel model.File). */
function fileOf(kernel: Kernel, entry: DocumentEntry, sort: number) {
  const { size, seconds: mtime } = kernel.documents.fileSize(entry);
  const ctime = unixSeconds(createdOf(entry.id));
  const { attributes } = entry;
  return {
    path: entry.path,
    name: entry.title,
    icon: attributes.icon ?? '',
    name1: attributes.name ?? '',
    alias: attributes.alias ?? '',
    memo: attributes.memo ?? '',
    bookmark: attributes.bookmark ?? '',
    id: entry.id,
    count: 0,
    size,
    hSize: `${size} B`,
    mtime,
    ctime,
    hMtime: readableTime(mtime),
    hCtime: readableTime(ctime),
    sort,
    subFileCount: kernel.documents.childCount(entry.notebook, entry.path),
    newFlashcardCount: 0,
    dueFlashcardCount: 0,
    flashcardCount: 0,
  };
}

function entryAt(kernel: Kernel, body: RequestBody): DocumentEntry {
  const notebook = nodeId(body, 'notebook');
  const path = text(body, 'path');
  const found = kernel.documents.all(notebook).find((e) => e.path === path);
  if (!found) throw new ApiError(-1, 'tree not found');
  return found;
}

/** Makes or finds today's note; returns its id. */
export function dailyNote(kernel: Kernel, notebook: string): string {
  const { conf } = kernel.notebooks.opened(notebook);
  const hpath = dailyNotePath(conf.dailyNoteSavePath);
  const known = kernel.documents.findByHpath(notebook, hpath)[0];
  const id = known?.id ?? kernel.fileTree.create({ notebook, hpath, dom: '' });
  const document = kernel.documents.load(id);
  const day = timestamp().slice(0, 8);
  if (document && document.root.Properties?.[`custom-dailynote-${day}`] !== day) {
    setAttribute(document.root, `custom-dailynote-${day}`, day);
    kernel.transactions.commit([document]);
  }
  if (!known) kernel.pushes.push({ cmd: 'createdailynote', data: { box: { id: notebook }, path: document?.path } });
  return id;
}

function moveTarget(kernel: Kernel, toId: string): { notebook: string; target?: DocumentEntry } {
  const target = kernel.documents.entry(toId);
  if (target) return { notebook: target.notebook, target };
  if (kernel.notebooks.isOpen(toId)) return { notebook: toId };
  throw new ApiError(-1, `can't found box or tree by id [${toId}]`, CLOSE_LATER);
}

const readRoutes: RouteTable = {
  '/api/filetree/listDocsByPath': (body, { kernel }) => {
    const notebook = text(body, 'notebook');
    const path = text(body, 'path');
    if (path.includes('..')) throw new ApiError(-1, "path must not contain '..' and must be relative");
    kernel.notebooks.opened(notebook);
    const normal = path === '/' || extname(path) === '.sy' ? path : `${path}.sy`;
    const places = kernel.notebooks.sortFile(notebook);
    const shown = (e: DocumentEntry): boolean => body.showHidden === true || e.attributes['custom-hidden'] !== 'true';
    const entries = kernel.fileTree.list(notebook, normal).filter((e) => kernel.documents.hasFile(e) && shown(e));
    return { box: notebook, files: entries.map((e) => fileOf(kernel, e, places[e.id] ?? 0)), path };
  },

  // With the root as its path the kernel fails, and so do we.
  '/api/filetree/listDocTree': (body, { kernel }) => {
    const notebook = nodeId(body, 'notebook');
    const path = text(body, 'path');
    if (path === '/') throw new ApiError(-1, 'path escapes notebook directory');
    type Branch = { id: string; children?: Branch[] };
    const branch = (e: DocumentEntry): Branch => {
      const children = kernel.fileTree.list(notebook, e.path).map(branch);
      return { id: e.id, ...(children.length > 0 && { children }) };
    };
    return { tree: kernel.fileTree.list(notebook, `${path.replace(/\.sy$/, '')}.sy`).map(branch) };
  },

  '/api/filetree/getIDsByHPath': (body, { kernel }) => {
    const notebook = nodeId(body, 'notebook');
    return kernel.documents.findByHpath(notebook, text(body, 'path')).map((e) => e.id);
  },

  '/api/filetree/getHPathByID': (body, { kernel }) => {
    const id = nodeId(body, 'id');
    return hasPage(kernel, id) ? '/' : kernel.documents.hpath(documentOf(kernel, id));
  },
  '/api/filetree/getHPathByPath': (body, { kernel }) => kernel.documents.hpath(entryAt(kernel, body)),

  '/api/filetree/getFullHPathByID': (body, { kernel }) => {
    const entry = documentOf(kernel, text(body, 'id'));
    return `${kernel.notebooks.conf(entry.notebook).name}${kernel.documents.hpath(entry)}`;
  },

  '/api/filetree/getPathByID': (body, { kernel }) => {
    const { path, notebook } = documentOf(kernel, nodeId(body, 'id'));
    return { path, notebook };
  },
};

const writeRoutes: RouteTable = {
  '/api/filetree/createDocWithMd': {
    writes: true,
    handle: (body, { kernel }) => {
      const hpath = text(body, 'path');
      return kernel.fileTree.create({
        notebook: nodeId(body, 'notebook'),
        hpath: hpath.startsWith('/') ? hpath : `/${hpath}`,
        dom: domOfMarkdown(text(body, 'markdown'), false),
        id: optionalText(body, 'id') || undefined,
        parentId: optionalText(body, 'parentID') || undefined,
        tags: optionalText(body, 'tags') || undefined,
      });
    },
  },

  '/api/filetree/createDailyNote': { writes: true, handle: (body, { kernel }) => ({ id: dailyNote(kernel, text(body, 'notebook')) }) },

  '/api/filetree/renameDocByID': {
    writes: true,
    handle: (body, { kernel }) => {
      kernel.fileTree.rename(documentOf(kernel, nodeId(body, 'id'), CLOSE_LATER), text(body, 'title'));
      return null;
    },
  },

  '/api/filetree/renameDoc': {
    writes: true,
    handle: (body, { kernel }) => {
      kernel.fileTree.rename(entryAt(kernel, body), text(body, 'title'));
      return null;
    },
  },

  '/api/filetree/moveDocsByID': {
    writes: true,
    handle: (body, { kernel }) => {
      const from = textList(body, 'fromIDs').map((id) => documentOf(kernel, id, CLOSE_LATER));
      const { notebook, target } = moveTarget(kernel, nodeId(body, 'toID'));
      for (const entry of from) kernel.fileTree.move(entry, notebook, target && kernel.documents.entry(target.id));
      return null;
    },
  },

  '/api/filetree/removeDocByID': {
    writes: true,
    handle: (body, { kernel }) => {
      kernel.fileTree.remove(documentOf(kernel, nodeId(body, 'id'), CLOSE_LATER));
      return null;
    },
  },

  '/api/filetree/removeDoc': {
    writes: true,
    handle: (body, { kernel }) => {
      kernel.fileTree.remove(entryAt(kernel, body));
      return null;
    },
  },

  '/api/filetree/changeSort': {
    writes: true,
    handle: (body, { kernel }) => {
      const notebook = text(body, 'notebook');
      const ids = textList(body, 'paths').map((p) => p.split('/').pop()?.replace(/\.sy$/, '') ?? '');
      if (!ids.every((id) => ID_PATTERN.test(id))) throw new MissingParameter('paths');
      const places = Object.fromEntries(ids.map((id, i) => [id, i + 1]));
      kernel.notebooks.saveSort(notebook, { ...kernel.notebooks.sortFile(notebook), ...places });
      return null;
    },
  },
};

export const fileTreeRoutes: RouteTable = { ...readRoutes, ...writeRoutes };
