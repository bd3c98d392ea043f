import { create, icon, must, ownIcon } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { siyuan } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { CustomModel, DocumentFile, Notebook } from '../core/types.ts';
import { createCustom } from './custom.ts';
import { onSwitch } from './tabs.ts';
import { openDocumentMenu, openNotebookMenu } from './tree-menu.ts';
import { onTreeRefresh, refreshTreeSoon } from './tree-refresh.ts';

/** Folders that are open: `<notebook id>:<path>`. */
const open = new Set<string>();
let panel: HTMLElement | undefined;
let refreshing = 0;
let openDocument: (id: string) => void = () => {};

/** The document tree's dock panel. `onOpen` gets the id of a clicked document. */
export function createTree(element: HTMLElement, onOpen: (id: string) => void): CustomModel {
  openDocument = onOpen;
  onTreeRefresh(() => void refreshTree());
  return createCustom({
    type: 'file',
    data: {},
    element,
    tab: undefined,
    init() {
      panel = element;
      element.classList.add('sy__file', 'dockPanel', 'fn__flex-column');
      const refresh = create('span', 'block__icon ariaLabel', { 'aria-label': text('refresh'), role: 'button' }, icon('iconRefresh'));
      const minimize = create(
        'span',
        'block__icon ariaLabel',
        { 'data-type': 'min', 'aria-label': text('min'), role: 'button' },
        icon('iconMin'),
      );
      refresh.addEventListener('click', () => void refreshTree());
      const header = create(
        'div',
        'block__icons',
        {},
        create('div', 'block__logo', {}, text('fileTree')),
        create('span', 'fn__flex-1'),
        refresh,
        minimize,
      );
      element.append(header, create('div', 'fn__flex-1 tree', { role: 'tree', 'aria-label': text('fileTree') }));
      onSwitch((tab) => markCurrent(tab?.model?.editor?.protyle.block.rootID));
      void refreshTree();
    },
  });
}

export async function loadNotebooks(): Promise<void> {
  const answer = await call<{ notebooks: Notebook[] }>('/api/notebook/lsNotebooks');
  siyuan.notebooks = answer?.notebooks ?? [];
}

async function refreshTree(): Promise<void> {
  refreshing += 1;
  try {
    await redraw();
  } finally {
    refreshing -= 1;
  }
}

async function redraw(): Promise<void> {
  await loadNotebooks();
  if (!panel) return;
  const roots = await Promise.all((siyuan.notebooks ?? []).map((notebook) => notebookList(notebook)));
  must('.tree', panel).replaceChildren(...roots);
  markCurrent(panel.dataset.current);
}

function markCurrent(rootId?: string): void {
  if (!panel) return;
  if (rootId) panel.dataset.current = rootId;
  for (const item of panel.querySelectorAll('[role="treeitem"]')) {
    item.classList.toggle('b3-list-item--focus', !!rootId && item.getAttribute('data-node-id') === rootId);
  }
}

async function notebookList(notebook: Notebook): Promise<HTMLElement> {
  const list = create('ul', 'b3-list b3-list--background', { 'data-url': notebook.id, role: 'group' });
  const item = treeItem({
    label: notebook.name,
    glyph: ownIcon(notebook.icon, 'iconFilesRoot'),
    level: 0,
    hasChildren: !notebook.closed,
    key: `${notebook.id}:/`,
  });
  item.dataset.type = 'navigation-root';
  item.dataset.path = '/';
  item.setAttribute('data-node-id', notebook.id);
  if (notebook.closed) item.classList.add('b3-list-item--closed');
  list.append(item);
  item.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    openNotebookMenu(event, notebook, selection(item));
  });
  item.addEventListener('click', () => void toggle(item, notebook.id));
  if (!notebook.closed && open.has(`${notebook.id}:/`)) item.after(await children(notebook.id, '/', 1));
  return list;
}

async function children(notebook: string, path: string, level: number): Promise<HTMLElement> {
  const answer = await call<{ files: DocumentFile[] }>('/api/filetree/listDocsByPath', { notebook, path });
  const list = create('ul', 'b3-list-group', { role: 'group', 'data-url': notebook });
  for (const file of answer?.files ?? []) {
    list.append(documentItem(notebook, file, level));
    if (file.subFileCount > 0 && open.has(`${notebook}:${file.path}`)) list.append(await children(notebook, file.path, level + 1));
  }
  return list;
}

function documentItem(notebook: string, file: DocumentFile, level: number): HTMLElement {
  const name = file.name.replace(/\.sy$/, '');
  const hasChildren = file.subFileCount > 0;
  const glyph = ownIcon(file.icon, hasChildren ? 'iconFiles' : 'iconFile');
  const item = treeItem({ label: name, glyph, level, hasChildren, key: `${notebook}:${file.path}` });
  item.dataset.type = 'navigation-file';
  item.dataset.path = file.path;
  item.dataset.name = name;
  item.dataset.count = String(file.subFileCount);
  item.setAttribute('data-node-id', file.id);
  item.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    openDocumentMenu(event, { id: file.id, notebook, path: file.path, name }, selection(item), openDocument);
  });
  item.addEventListener('click', (event) => {
    if ((event.target as Element).closest('.b3-list-item__toggle')) void toggle(item, notebook);
    else openDocument(file.id);
  });
  return item;
}

function treeItem(options: { label: string; glyph: Node | string; level: number; hasChildren: boolean; key: string }): HTMLElement {
  const expanded = open.has(options.key);
  const arrow = icon('iconRight', `b3-list-item__arrow${expanded ? ' b3-list-item__arrow--open' : ''}`);
  const toggleElement = create(
    'span',
    `b3-list-item__toggle b3-list-item__toggle--hl${options.hasChildren ? '' : ' fn__hidden'}`,
    {},
    arrow,
  );
  toggleElement.style.paddingLeft = `${options.level * 18}px`;
  const item = create(
    'li',
    'b3-list-item b3-list-item--hide-action',
    { role: 'treeitem', tabindex: '0', 'aria-level': String(options.level + 1), 'aria-label': options.label },
    toggleElement,
    create('span', 'b3-list-item__icon', { 'aria-hidden': 'true' }, options.glyph),
    create('span', 'b3-list-item__text', {}, options.label),
  );
  if (options.hasChildren) item.setAttribute('aria-expanded', String(expanded));
  item.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') item.click();
  });
  return item;
}

async function toggle(item: HTMLElement, notebook: string): Promise<void> {
  const path = item.dataset.path ?? '/';
  const key = `${notebook}:${path}`;
  const arrow = item.querySelector('.b3-list-item__arrow');
  if (item.classList.contains('b3-list-item--closed')) return;
  if (open.has(key)) {
    open.delete(key);
    if (item.nextElementSibling?.classList.contains('b3-list-group')) item.nextElementSibling.remove();
  } else {
    open.add(key);
    const list = await children(notebook, path, Number(item.getAttribute('aria-level')));
    if (!item.nextElementSibling?.classList.contains('b3-list-group')) item.after(list);
    markCurrent(panel?.dataset.current);
  }
  arrow?.classList.toggle('b3-list-item__arrow--open', open.has(key));
  item.setAttribute('aria-expanded', String(open.has(key)));
  // A redraw that began before this click knows nothing of it.
  if (refreshing > 0) refreshTreeSoon();
}

/** `elements` of open-menu-doctree is a NodeList of the chosen entries; the shell chooses one at a time. */
function selection(item: HTMLElement): NodeListOf<HTMLElement> {
  for (const other of panel?.querySelectorAll('.b3-list-item--menu') ?? []) other.classList.remove('b3-list-item--menu');
  item.classList.add('b3-list-item--menu');
  return document.querySelectorAll<HTMLElement>('.sy__file .b3-list-item--menu');
}

/** Opens the first notebook, so that a fresh page shows documents. */
export function openFirstNotebook(): void {
  const first = siyuan.notebooks?.find((notebook) => !notebook.closed);
  if (first) open.add(`${first.id}:/`);
}
