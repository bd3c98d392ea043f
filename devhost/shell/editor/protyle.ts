import { create, shortId } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { Socket } from '../core/socket.ts';
import { app, emitAll, siyuan } from '../core/state.ts';
import type { Answer, App, LoadedDocument, Operation } from '../core/types.ts';
import { notImplemented } from '../plugin/not-implemented.ts';
import { blockById, closestBlock } from './blocks.ts';
import { focusBlock, restoreCaret, saveCaret, selectionRange } from './caret.ts';
import { Changes } from './changes.ts';
import { databaseRender, mathRender } from './drawing.ts';
import { bindGutter } from './gutter.ts';
import { insertHtml } from './insert.ts';
import { bindMouse } from './mouse.ts';
import { applyTransactions } from './push.ts';
import { Slash } from './slash.ts';
import { bindTitle, createDocumentIcon, createTitle } from './title.ts';
import { bindToolbar } from './toolbar.ts';
import type { LuteEngine, ProtyleState } from './types.ts';
import { bindTyping } from './typing.ts';

interface ProtyleOptions {
  blockId?: string;
  rootId?: string;
  notebookId?: string;
  title?: string;
  action?: string[];
  after?: (protyle: Protyle) => void;
}

/** A small block editor over SiYuan's DOM; the public members are those of the plugin API's Protyle. */
export class Protyle {
  readonly version = '3.7.3';
  readonly protyle: ProtyleState;
  readonly ready: Promise<boolean>;
  turnIntoTransaction = notImplemented('Protyle.turnIntoTransaction');
  turnIntoOneTransaction = notImplemented('Protyle.turnIntoOneTransaction');
  updateBatchTransaction = notImplemented('Protyle.updateBatchTransaction');
  renderAVAttribute = notImplemented('Protyle.renderAVAttribute');
  switchMode = notImplemented('Protyle.switchMode');
  isUploading = () => false;
  clearStack = () => {};

  constructor(_app: App, element: HTMLElement, options: ProtyleOptions = {}) {
    this.protyle = createState(element, this, options);
    const { protyle } = this;
    const slash = new Slash(protyle);
    bindTyping(protyle, slash);
    bindTitle(protyle);
    bindGutter(protyle);
    bindMouse(protyle, slash);
    bindToolbar(protyle);
    protyle.changes = new Changes(protyle, () => void this.reload());
    protyle.ws = new Socket({
      id: protyle.id,
      type: 'protyle',
      onMessage: (answer) => this.onPush(answer),
      onReconnect: () => void this.reload(),
    });
    this.ready = options.blockId ? this.load(options.blockId).then((loaded) => this.opened(loaded, options)) : Promise.resolve(false);
  }

  private opened(loaded: boolean, options: ProtyleOptions): boolean {
    if (loaded) emitAll('loaded-protyle-static', { protyle: this.protyle });
    options.after?.(this);
    return loaded;
  }

  /** Reads the document of a block, all of it, and draws it. */
  private async load(id: string): Promise<boolean> {
    const { protyle } = this;
    const info = await call<{ rootID?: string; name?: string; ial?: Record<string, string> }>('/api/block/getDocInfo', { id });
    const loaded = info && (await call<LoadedDocument>('/api/filetree/getDoc', { id: info.rootID, mode: 0, size: 102400 }));
    if (!loaded) return false;
    protyle.block = { ...protyle.block, rootID: loaded.rootID, id, parentID: loaded.parentID, notebookId: loaded.box };
    protyle.notebookId = loaded.box;
    protyle.path = loaded.path;
    protyle.wysiwyg.element.innerHTML = loaded.content;
    mathRender(protyle.wysiwyg.element);
    void databaseRender(protyle.wysiwyg.element);
    protyle.wysiwyg.lastHTMLs = {};
    protyle.wysiwyg.element.setAttribute('data-doc-type', 'NodeDocument');
    const title = info.ial?.title ?? info.name;
    if (title !== undefined) protyle.title.setTitle(title);
    protyle.title.element.setAttribute('data-node-id', loaded.rootID);
    protyle.element.setAttribute('data-loading', 'finished');
    return true;
  }

  private onPush(answer: Answer): void {
    const { protyle } = this;
    const data = answer.data as Record<string, unknown> | string | undefined;
    if (answer.cmd === 'transactions') {
      if (!applyTransactions(protyle, answer)) void this.reload();
    } else if (answer.cmd === 'reload' && data === protyle.block.rootID) {
      void this.reload();
    } else if (answer.cmd === 'rename' && typeof data === 'object' && data.id === protyle.block.rootID && typeof data.title === 'string') {
      protyle.title.setTitle(data.title);
    } else if (answer.cmd === 'moveDoc' && typeof data === 'object' && data.fromPath === protyle.path) {
      protyle.path = String(data.newPath);
    }
  }

  async reload(focus = false): Promise<void> {
    const { protyle } = this;
    const caret = saveCaret(protyle.wysiwyg.element);
    const scroll = protyle.contentElement.scrollTop;
    if (!(await this.load(protyle.block.rootID))) return;
    protyle.contentElement.scrollTop = scroll;
    restoreCaret(protyle.wysiwyg.element, caret);
    if (focus) this.focus();
    emitAll('loaded-protyle-static', { protyle });
  }

  focus(): void {
    if (!selectionRange(this.protyle.wysiwyg.element)) {
      const first = this.protyle.wysiwyg.element.querySelector<HTMLElement>('[data-node-id]');
      if (first) focusBlock(first);
    }
    this.protyle.wysiwyg.element.focus({ preventScroll: true });
  }

  insert(html: string, isBlock = false, useProtyleRange = false): void {
    insertHtml(this.protyle, html, isBlock, useProtyleRange);
  }

  transaction(doOperations: Operation[], undoOperations: Operation[] = []): void {
    void this.protyle.changes.commit(doOperations, undoOperations);
  }

  updateTransaction(id: string, newHtml: string, oldHtml: string): void {
    this.transaction([{ action: 'update', id, data: newHtml }], [{ action: 'update', id, data: oldHtml }]);
  }

  getRange(element: Element): Range {
    const range = selectionRange(this.protyle.wysiwyg.element) ?? document.createRange();
    if (!element.contains(range.startContainer)) range.selectNodeContents(element);
    return range;
  }

  hasClosestBlock(node: Node): HTMLElement | false {
    return closestBlock(node) ?? false;
  }

  focusBlock(element: HTMLElement, toStart = true): Range | false {
    return focusBlock(element, toStart);
  }

  disable(): void {
    this.setDisabled(true);
  }

  enable(): void {
    this.setDisabled(false);
  }

  private setDisabled(disabled: boolean): void {
    this.protyle.disabled = disabled;
    this.protyle.wysiwyg.element.setAttribute('contenteditable', String(!disabled));
    for (const element of this.protyle.wysiwyg.element.querySelectorAll(
      '[data-node-id] > [contenteditable]:not(.protyle-attr, .protyle-action)',
    )) {
      element.setAttribute('contenteditable', String(!disabled));
    }
  }

  resize(): void {
    this.protyle.gutter.element.classList.add('fn__none');
  }

  destroy(): void {
    void this.protyle.changes.flush();
    emitAll('destroy-protyle', { protyle: this.protyle });
    this.protyle.ws?.close();
    this.protyle.hint.element.remove();
    this.protyle.gutter.element.remove();
    this.protyle.element.replaceChildren();
  }

  /** Scrolls to a block and flashes it; false when the document does not show it. */
  reveal(id: string): boolean {
    const block = blockById(this.protyle.wysiwyg.element, id);
    if (!block) return false;
    this.protyle.block.id = id;
    block.scrollIntoView({ block: 'center' });
    block.classList.add('protyle-wysiwyg--hl');
    setTimeout(() => block.classList.remove('protyle-wysiwyg--hl'), 1500);
    return true;
  }
}

function createState(element: HTMLElement, instance: Protyle, options: ProtyleOptions): ProtyleState {
  const title = createTitle();
  title.setTitle(options.title ?? '');
  const { wysiwyg, content, hint, gutter, toolbar } = buildElements(element, title.element);
  const id = shortId() + shortId();
  element.setAttribute('data-id', id);
  const lute = (globalThis as { Lute?: { New: () => LuteEngine } }).Lute;
  return {
    id,
    app,
    element,
    contentElement: content,
    notebookId: options.notebookId ?? '',
    path: '',
    disabled: siyuan.config?.editor.readOnly ?? false,
    updated: false,
    options: { action: options.action ?? [], blockId: options.blockId },
    block: {
      rootID: options.rootId ?? '',
      id: options.blockId ?? '',
      parentID: '',
      notebookId: '',
      showAll: false,
      mode: 0,
      action: options.action ?? [],
    },
    wysiwyg: { element: wysiwyg, lastHTMLs: {} },
    title,
    toolbar: { element: toolbar, range: document.createRange() },
    hint: { element: hint, splitChar: '', lastIndex: -1, enableSlash: true },
    gutter: { element: gutter },
    lute: lute?.New(),
    model: undefined,
    ws: undefined,
    getInstance: () => instance,
    changes: { touch: () => {}, forget: () => {}, flush: () => Promise.resolve(), commit: () => Promise.resolve() },
  };
}

/** Draws the editor's frame into its element: breadcrumb, title and text, slash menu, block icons. */
function buildElements(element: HTMLElement, title: HTMLElement) {
  const wysiwyg = create('div', 'protyle-wysiwyg', {
    contenteditable: 'true',
    spellcheck: 'false',
    role: 'textbox',
    'aria-multiline': 'true',
  });
  const content = create('div', 'protyle-content fn__flex-1', {}, title, wysiwyg);
  const hint = create('div', 'protyle-hint b3-list b3-list--background fn__none', { role: 'listbox' });
  const gutter = create('div', 'protyle-gutters fn__none');
  const toolbar = create('div', 'protyle-toolbar fn__none', { role: 'toolbar' });
  const breadcrumb = create(
    'div',
    'protyle-breadcrumb',
    {},
    create('div', 'protyle-breadcrumb__bar'),
    create('span', 'fn__flex-1'),
    createDocumentIcon(),
  );
  element.classList.add('protyle', 'fn__flex-1');
  element.replaceChildren(breadcrumb, content);
  element.append(hint, gutter, toolbar);
  return { wysiwyg, content, hint, gutter, toolbar };
}
