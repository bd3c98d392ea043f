import { onBlockLink } from '../core/block-link.ts';
import { create } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { app, emitAll, query, siyuan } from '../core/state.ts';
import { text } from '../core/texts.ts';
import { blockById } from '../editor/blocks.ts';
import { focusBlock } from '../editor/caret.ts';
import { Protyle } from '../editor/protyle.ts';
import { showMessage } from '../ui/message.ts';
import { showCounter } from './status.ts';
import { activeTab, addTab, allTabs, closeTab, onSwitch, switchTab, type Tab } from './tabs.ts';

interface OpenOptions {
  action?: string[];
  keepCursor?: boolean;
}

interface BlockInfo {
  box: string;
  path: string;
  rootID: string;
  rootTitle: string;
}

let mobileEditor: Protyle | undefined;

/** Opens the document of a block in a tab and shows the block: scrolls to it and flashes it unless it is the document itself. */
export async function openBlock(id: string, options: OpenOptions = {}): Promise<Tab | undefined> {
  const info = await call<BlockInfo>('/api/block/getBlockInfo', { id });
  if (!info?.rootID) {
    showMessage(`${text('notFound')}: ${id}`, 6000, 'error');
    return undefined;
  }
  if (query.mobile) {
    await openOnMobile(info, id, options);
    return undefined;
  }
  const existing = editorTab(info.rootID);
  const tab = existing ?? addTab(info.rootTitle, 'iconFile', (fresh) => documentModel(fresh, info, options), options.keepCursor);
  if (existing && !options.keepCursor) switchTab(existing);
  const editor = editorOf(tab);
  await editor?.ready;
  if (editor) show(editor, id, info.rootID, options);
  return tab;
}

function show(editor: Protyle, id: string, rootId: string, options: OpenOptions): void {
  const focus = options.action?.includes('cb-get-focus') && !options.keepCursor;
  if (id === rootId) {
    // A whole note has the caret in its title, on a phone in its first block, where somebody was at work when it was opened.
    const first = editor.protyle.wysiwyg.element.firstElementChild;
    if (!focus || document.activeElement === document.body) return;
    if (!query.mobile) editor.protyle.title.editElement.focus();
    else if (first instanceof HTMLElement) focusBlock(first);
    return;
  }
  if (!editor.reveal(id)) showMessage(`${text('notFound')}: ${id}`, 6000, 'error');
  const block = blockById(editor.protyle.wysiwyg.element, id);
  if (block && focus) focusBlock(block);
}

function documentModel(tab: Tab, info: BlockInfo, options: OpenOptions) {
  const element = create('div');
  tab.panelElement.classList.add('fn__flex-column');
  tab.panelElement.append(element);
  const editor = new Protyle(app, element, {
    blockId: info.rootID,
    rootId: info.rootID,
    title: info.rootTitle,
    notebookId: info.box,
    action: options.action ?? [],
  });
  const model = { element, editor, parent: tab, resize: () => editor.resize() };
  editor.protyle.model = model;
  return model;
}

async function openOnMobile(info: BlockInfo, id: string, options: OpenOptions): Promise<void> {
  mobileEditor?.destroy();
  const holder = create('div');
  const center = document.querySelector('#center .layout-tab-container');
  center?.replaceChildren(holder);
  mobileEditor = new Protyle(app, holder, { blockId: info.rootID, rootId: info.rootID, title: info.rootTitle, notebookId: info.box });
  if (siyuan.mobile) siyuan.mobile.editor = mobileEditor;
  await mobileEditor.ready;
  show(mobileEditor, id, info.rootID, options);
}

function editorOf(tab: Tab): Protyle | undefined {
  return tab.model?.editor instanceof Protyle ? tab.model.editor : undefined;
}

function editorTab(rootId: string): Tab | undefined {
  return allTabs().find((tab) => editorOf(tab)?.protyle.block.rootID === rootId);
}

export function allEditors(): Protyle[] {
  const inTabs = allTabs().flatMap((tab) => editorOf(tab) ?? []);
  return mobileEditor ? [mobileEditor] : inTabs;
}

/** The editor that holds the selection, else the one of the tab in front. `onlyActive` asks for the active window only. */
export function activeEditor(onlyActive = true): Protyle | undefined {
  const selection = getSelection();
  const node = selection && selection.rangeCount > 0 ? selection.getRangeAt(0).startContainer : undefined;
  const selected = node && allEditors().find((editor) => editor.protyle.element.contains(node));
  if (selected) return selected;
  if (mobileEditor) return mobileEditor;
  const tab = activeTab();
  const focused = tab?.panelElement.classList.contains('layout__tab--active');
  return tab && (focused || !onlyActive) ? editorOf(tab) : undefined;
}

/** Keeps tabs true to what happens to their documents. */
export function onDocumentPush(cmd: string, data: Record<string, unknown>): void {
  if (cmd === 'rename' && typeof data.title === 'string') {
    editorTab(String(data.id))?.updateTitle(data.title);
  } else if (cmd === 'removeDoc' && Array.isArray(data.ids)) {
    for (const id of data.ids) closeTab(editorTab(String(id))?.id ?? '');
  } else if (cmd === 'closeBox' || cmd === 'removeBox' || cmd === 'unmount') {
    for (const tab of allTabs()) if (editorOf(tab)?.protyle.notebookId === data.box) tab.close();
  }
}

/** `switch-protyle` follows the tabs; links in a text open their blocks. */
export function initDocuments(): void {
  onBlockLink((id) => void openBlock(id, { action: ['cb-get-focus', 'cb-get-hl'] }));
  onSwitch((tab) => {
    const editor = tab && editorOf(tab);
    showCounter(editor?.protyle.wysiwyg.element);
    if (!editor) return;
    void editor.ready.then(() => {
      showCounter(editor.protyle.wysiwyg.element);
      emitAll('switch-protyle', { protyle: editor.protyle });
    });
  });
}

/** `window.openFileByURL` of SiYuan: true when the address is a block's. */
export function openFileByUrl(url: string): boolean {
  const id = /^siyuan:\/\/blocks\/(\d{14}-[0-9a-z]{7})/.exec(url)?.[1];
  if (id) void openBlock(id, { action: ['cb-get-focus'] });
  return !!id;
}
