// What the plugin adds to the editor: slash commands, menu entries and the button over selected text. Part of the start
// script, so it stays small.
import type { IEventBusMap, IProtyle, Menu, Plugin, Protyle } from 'siyuan';
import { NOTEBOOK_RIGHTS, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import { isDrawn } from '../../ui/controls/is-drawn.ts';
import { escapeHtml } from '../escape-html.ts';
import type { EditorRequest, StartSettings } from '../panel-host.ts';
import type { RequestTarget, SlashCommand, StartText } from './editor-feature.ts';
import { EDITOR_FEATURES } from './editor-features.ts';
import { wordsOfRange } from './selected-text.ts';

type Slash = Plugin['protyleSlash'];
type SubMenu = IEventBusMap['click-blockicon']['menu'];
type ToolbarItem = Exclude<ReturnType<Plugin['updateProtyleToolbar']>[number], string>;
/** One entry of a menu; several are grouped under the plugin's name. */
interface Entry {
  readonly label: string;
  readonly icon?: string;
  readonly click?: () => void;
  readonly type?: 'separator';
}

/** Words that find all slash commands of this plugin and nothing else. */
const OURS = ['marginalia', '旁批', 'pangpi'];

const TOOLBAR_BUTTON = 'marginalia';

const idOf = (element: Element | undefined | null): string => element?.getAttribute('data-node-id') ?? '';
const blockAt = (node: Node): Element | null =>
  (node instanceof Element ? node : node.parentElement)?.closest('.protyle-wysiwyg [data-node-id]') ?? null;

/** The button over selected text, for `updateProtyleToolbar`; the host asks for it before the plugin's fields are initialized. */
export function toolbarButton(texts: Plugin['i18n'] | undefined, open: (protyle: Protyle) => void): ToolbarItem {
  const tip = String(texts?.['panel.name'] ?? 'Marginalia');
  // The click continues to the host, which empties and closes every menu at its end.
  const click = (protyle: Protyle): void => void setTimeout(() => open(protyle));
  return { name: TOOLBAR_BUTTON, icon: 'iconMarginalia', hotkey: '', tipPosition: 'n', tip, click };
}

/** The selected text as a request's target: a piece of one block, or whole blocks if it spans several. */
function selectionPlace(protyle: IProtyle, range: Range): RequestTarget | undefined {
  const [first, last] = [blockAt(range.startContainer), blockAt(range.endContainer)];
  const root = protyle.wysiwyg?.element;
  if (!first || !last || !root?.contains(first)) return undefined;
  if (first === last) return { kind: 'selection', ids: [idOf(first)], protyle, text: wordsOfRange(range) };
  const leaves = [...root.querySelectorAll('[data-node-id]')].filter((block) => !block.querySelector('[data-node-id]'));
  const ids = leaves.filter((block) => range.intersectsNode(block)).map(idOf);
  return { kind: 'block', ids: ids.length > 0 ? ids : [idOf(first)], protyle };
}

export class EditorEntries {
  private settings: StartSettings = {};
  private unwatch: readonly (() => void)[] = [];
  private readonly text: StartText;
  private readonly handle: (request: EditorRequest) => void;
  private readonly setRight: (notebook: string, right: NotebookRight) => void;

  /** @param text returns a text of the start script by its key. @param handle handles a choice in the editor. */
  constructor(text: StartText, handle: (request: EditorRequest) => void, setRight: (notebook: string, right: NotebookRight) => void) {
    this.text = text;
    this.handle = handle;
    this.setRight = setRight;
  }

  /** The slash commands under these settings, which menus follow too. */
  slash(settings: StartSettings): Slash {
    this.settings = settings;
    const label = this.text('slash_ask');
    // "/ask" begins with SiYuan's task list: this one has another word by which only it is found.
    const ask = { action: 'ask', words: ['ask', 'askai', '提问', 'tiwen', label], label };
    return [ask, ...EDITOR_FEATURES.flatMap(({ slash }) => slash?.(this.text, settings) ?? [])].map((each) => this.slashEntry(each));
  }

  /** Adds entries to the menus of blocks, titles, text and document tree and follows the editor, or ends both. */
  listen(bus: Plugin['eventBus'], how: 'on' | 'off'): void {
    bus[how]('click-blockicon', this.onBlockMenu);
    bus[how]('click-editortitleicon', this.onTitleMenu);
    bus[how]('open-menu-content', this.onTextMenu);
    bus[how]('open-menu-doctree', this.onTreeMenu);
    for (const end of this.unwatch) end();
    this.unwatch = how === 'on' ? EDITOR_FEATURES.flatMap(({ watch }) => watch?.(this.handle) ?? []) : [];
  }

  /** Opens an empty menu with the actions for the text that is selected in an editor. */
  openFor(protyle: IProtyle, menu: Menu): void {
    const range = protyle.toolbar?.range;
    const place = range && selectionPlace(protyle, range);
    if (!place) return;
    for (const entry of this.entries(place)) menu.addItem(entry);
    const button = protyle.toolbar?.element.querySelector(`[data-type="${TOOLBAR_BUTTON}"]`);
    const { left, bottom, height } = (button && isDrawn(button) ? button : range).getBoundingClientRect();
    menu.open({ x: left, y: bottom + 4, h: height + 8 });
  }

  private readonly onBlockMenu = ({ detail }: CustomEvent<IEventBusMap['click-blockicon']>): void => {
    this.addTo(detail.menu, { kind: 'block', ids: detail.blockElements.map(idOf), protyle: detail.protyle });
    this.addMarked(detail.menu, 'block', (attribute) => detail.blockElements.filter((block) => block.hasAttribute(attribute)).map(idOf));
  };

  private readonly onTitleMenu = ({ detail }: CustomEvent<IEventBusMap['click-editortitleicon']>): void => {
    const { id, ial } = detail.data;
    this.addTo(detail.menu, { kind: 'document', ids: [id ?? ''], protyle: detail.protyle });
    this.addMarked(detail.menu, 'document', (attribute) => (id && ial?.[attribute] ? [id] : []));
  };

  private readonly onTextMenu = ({ detail }: CustomEvent<IEventBusMap['open-menu-content']>): void => {
    const chosen = detail.range.collapsed ? undefined : selectionPlace(detail.protyle, detail.range);
    this.addTo(detail.menu, chosen ?? { kind: 'block', ids: [idOf(detail.element)], protyle: detail.protyle });
  };

  private readonly onTreeMenu = ({ detail }: CustomEvent<IEventBusMap['open-menu-doctree']>): void => {
    const notebook = detail.elements[0]?.closest('[data-url]')?.getAttribute('data-url');
    if (detail.type !== 'notebook') this.addTo(detail.menu, { kind: 'document', ids: Array.from(detail.elements, idOf) });
    else if (notebook) this.addRights(detail.menu, notebook);
  };

  /** @param idsWith gives what of the menu's subject has an attribute. */
  private addMarked(menu: SubMenu, kind: 'block' | 'document', idsWith: (attribute: string) => string[]): void {
    for (const { marked } of EDITOR_FEATURES) {
      if (marked?.kind !== kind) continue;
      const ids = idsWith(marked.attribute);
      const click = (): void => this.handle({ action: marked.action, kind, ids });
      if (ids.length > 0) menu.addItem({ icon: 'iconMarginalia', label: this.text(marked.label), click });
    }
  }

  /** The model's right in a notebook, chosen in the notebook's menu. */
  private addRights(menu: SubMenu, notebook: string): void {
    const submenu = NOTEBOOK_RIGHTS.map((right) => ({ label: this.text(`right.${right}`), click: () => this.setRight(notebook, right) }));
    menu.addItem({ icon: 'iconMarginalia', label: this.text('rights.notebookMenu'), type: 'submenu', submenu });
  }

  private addTo(menu: SubMenu, place: RequestTarget): void {
    const ids = place.ids.filter((id) => id !== '');
    if (ids.length === 0) return;
    menu.addItem({ icon: 'iconMarginalia', label: this.text('panel.name'), type: 'submenu', submenu: this.entries({ ...place, ids }) });
  }

  private entries(place: RequestTarget): Entry[] {
    const make = (label: string, action: string): Entry => {
      return { label, icon: 'iconMarginalia', click: () => this.handle({ ...place, action }) };
    };
    const several = place.kind === 'block' && place.ids.length > 1;
    const ask = make(this.text(several ? 'ask_blocks' : `ask_${place.kind}`), 'ask');
    // Several documents are asked about together; everything else has one place for its result.
    if (place.kind === 'document' && place.ids.length > 1) return [ask];
    const more = EDITOR_FEATURES.flatMap(({ submenu }) => submenu?.(place, this.text, this.settings) ?? []);
    return [ask, ...more.map(({ action, label }) => (action ? make(escapeHtml(label), action) : ({ type: 'separator', label } as const)))];
  }

  private slashEntry({ action, words, label }: SlashCommand): Slash[number] {
    return {
      id: action.replace(':', '-'),
      filter: [...words, ...OURS],
      html: `<div class="b3-list-item__first"><svg class="b3-list-item__graphic"><use xlink:href="#iconMarginalia"></use></svg><span class="b3-list-item__text">${escapeHtml(label)}</span></div>`,
      callback: (protyle: Protyle, node: HTMLElement) => {
        // Removes the typed command and leaves the caret where it was.
        protyle.insert(window.Lute.Caret);
        const id = idOf(node);
        if (id) this.handle({ action, kind: 'block', ids: [id], protyle: protyle.protyle, typed: true });
      },
    };
  }
}
