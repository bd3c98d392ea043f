import { escapeHtml, must } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { text } from '../core/texts.ts';
import type { Notebook } from '../core/types.ts';
import { copyText } from '../ui/clipboard.ts';
import { confirmDialog, Dialog } from '../ui/dialog.ts';
import { commonMenu, emitOpenMenu, openMenu } from '../ui/menu.ts';
import { refreshTreeSoon } from './tree-refresh.ts';

interface DocumentEntry {
  id: string;
  notebook: string;
  path: string;
  name: string;
}

export function openNotebookMenu(event: MouseEvent, notebook: Notebook, elements: NodeListOf<HTMLElement>): void {
  const menu = commonMenu();
  menu.remove();
  if (!notebook.closed) {
    menu.addItem({
      id: 'newFile',
      icon: 'iconFile',
      label: text('newFile'),
      click: () => askForName('', (name) => createDocument(notebook.id, '', name)),
    });
    menu.addItem({
      id: 'rename',
      icon: 'iconEdit',
      label: text('rename'),
      click: () => askForName(notebook.name, (name) => call('/api/notebook/renameNotebook', { notebook: notebook.id, name })),
    });
  }
  menu.addItem({
    id: 'open',
    icon: notebook.closed ? 'iconUnlock' : 'iconLock',
    label: text(notebook.closed ? 'openNotebook' : 'closeNotebook'),
    click: () =>
      void call(`/api/notebook/${notebook.closed ? 'openNotebook' : 'closeNotebook'}`, { notebook: notebook.id }).then(refreshTreeSoon),
  });
  emitOpenMenu('open-menu-doctree', { elements, type: 'notebook' }, 'top');
  openMenu({ x: event.clientX, y: event.clientY });
}

export function openDocumentMenu(
  event: MouseEvent,
  entry: DocumentEntry,
  elements: NodeListOf<HTMLElement>,
  open: (id: string) => void,
): void {
  const menu = commonMenu();
  menu.remove();
  menu.addItem({ id: 'open', icon: 'iconFile', label: text('openPlugin'), click: () => open(entry.id) });
  menu.addItem({ id: 'newFile', icon: 'iconAdd', label: text('newFile'), click: () => askForName('', (name) => createChild(entry, name)) });
  menu.addItem({
    id: 'rename',
    icon: 'iconEdit',
    label: text('rename'),
    click: () => askForName(entry.name, (title) => call('/api/filetree/renameDocByID', { id: entry.id, title })),
  });
  menu.addItem({ id: 'copyId', icon: 'iconCopy', label: text('copyBlockId'), click: () => void copyText(entry.id) });
  menu.addItem({
    id: 'delete',
    icon: 'iconTrashcan',
    label: text('delete'),
    click: () => confirmDialog(text('deleteDocument'), escapeHtml(entry.name), () => void removeDocument(entry.id)),
  });
  emitOpenMenu('open-menu-doctree', { elements, type: 'doc' }, 'top');
  openMenu({ x: event.clientX, y: event.clientY });
}

async function removeDocument(id: string): Promise<void> {
  await call('/api/filetree/removeDocByID', { id });
  refreshTreeSoon();
}

async function createChild(entry: DocumentEntry, name: string): Promise<void> {
  const parent = await call<string>('/api/filetree/getHPathByID', { id: entry.id });
  await createDocument(entry.notebook, parent ?? '', name);
}

async function createDocument(notebook: string, parent: string, name: string): Promise<void> {
  await call('/api/filetree/createDocWithMd', { notebook, path: `${parent}/${name}`, markdown: '' });
  refreshTreeSoon();
}

function askForName(value: string, done: (name: string) => Promise<unknown>): void {
  const dialog = new Dialog({
    title: text(value ? 'rename' : 'newFile'),
    width: '420px',
    content: `<div class="b3-dialog__content"><input class="b3-text-field fn__block" value="${escapeHtml(value)}"></div>
<div class="b3-dialog__action"><button class="b3-button b3-button--cancel">${text('cancel')}</button><div class="fn__space"></div>
<button class="b3-button b3-button--text">${text('confirm')}</button></div>`,
  });
  const input = must<HTMLInputElement>('input', dialog.element);
  input.placeholder = text('untitled');
  const finish = async () => {
    dialog.destroy();
    await done(input.value.trim() || text('untitled'));
    refreshTreeSoon();
  };
  dialog.bindInput(input, () => void finish());
  input.select();
  must('.b3-button--cancel', dialog.element).addEventListener('click', () => dialog.destroy());
  must('.b3-button--text', dialog.element).addEventListener('click', () => void finish());
}
