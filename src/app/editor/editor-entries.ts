// What the plugin adds to the editor: slash commands, menu entries and the button over selected text. Part of the start
// script, so it stays small.
import type { IEventBusMap, IProtyle, Menu, Plugin, Protyle } from 'siyuan';
import {
  ACTION_NAMES,
  actionInfo,
  DATABASE_ACTION_NAMES,
  type DatabaseAction,
  databaseActionWords,
  type EditorAction,
} from '../../chat/editor-task/editor-actions.ts';
import { type CustomPrompt, readPrompts } from '../../chat/editor-task/editor-task-prompts.ts';
import { SOURCE_ATTRIBUTE } from '../../host/blocks/source-attributes.ts';
import type { NotebookRight } from '../../tools/contract/ports.ts';
import { isDrawn } from '../../ui/controls/is-drawn.ts';
import { escapeHtml } from '../escape-html.ts';
import type { EditorRequest } from '../panel-host.ts';
import { wordsOfRange } from './selected-text.ts';

type Action = EditorRequest['action'];
type RequestTarget = Omit<EditorRequest, 'action'>;
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

const RIGHTS: readonly NotebookRight[] = ['none', 'read', 'write', 'delete'];

/** Words that find all slash commands of this plugin and nothing else. */
const OURS = ['marginalia', '旁批', 'pangpi'];

/** Words that find a slash command, by its name. SiYuan matches the input anywhere in a word and puts its own entries first. */
const COMMANDS: readonly (readonly [EditorAction | DatabaseAction | 'ask', ...string[]])[] = [
  // "/ask" begins with SiYuan's task list: this one has another word by which only it is found.
  ['ask', 'askai', '提问', 'tiwen'],
  ...ACTION_NAMES.map((action) => [action, ...actionInfo(action).searchWords] as const),
  ...DATABASE_ACTION_NAMES.map((action) => [action, ...databaseActionWords(action)] as const),
];

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
  private prompts: readonly CustomPrompt[] = [];
  private readonly text: (key: string) => string;
  private readonly handle: (request: EditorRequest) => void;
  private readonly setRight: (notebook: string, right: NotebookRight) => void;

  /** @param text returns a text of the start script by its key. @param handle handles a choice in the editor. */
  constructor(
    text: (key: string) => string,
    handle: (request: EditorRequest) => void,
    setRight: (notebook: string, right: NotebookRight) => void,
  ) {
    this.text = text;
    this.handle = handle;
    this.setRight = setRight;
  }

  /** The user's own prompts changed: they are read from whatever the settings contain. */
  setPrompts(value: unknown): void {
    this.prompts = readPrompts(value);
  }

  slash(): Slash {
    return [
      ...COMMANDS.map(([action, ...words]) => {
        const label = this.text(`slash_${action}`);
        // Its name in the language of the interface finds it as well.
        const said = action === 'ask' ? label : this.text(`do_${action}`);
        return this.slashEntry(action, [action, ...words, said], label);
      }),
      ...this.prompts.map(({ id, name }) => this.slashEntry(`prompt:${id}`, [name, id], name)),
    ];
  }

  /** Adds entries to the menus of blocks, titles, text and document tree, or stops adding. */
  listen(bus: Plugin['eventBus'], how: 'on' | 'off'): void {
    bus[how]('click-blockicon', this.onBlockMenu);
    bus[how]('click-editortitleicon', this.onTitleMenu);
    bus[how]('open-menu-content', this.onTextMenu);
    bus[how]('open-menu-doctree', this.onTreeMenu);
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
    const ids = detail.blockElements.filter((block) => block.hasAttribute(SOURCE_ATTRIBUTE)).map(idOf);
    const click = (): void => this.handle({ action: 'show-written', kind: 'block', ids });
    if (ids.length > 0) detail.menu.addItem({ icon: 'iconMarginalia', label: this.text('whoWrote'), click });
  };

  private readonly onTitleMenu = ({ detail }: CustomEvent<IEventBusMap['click-editortitleicon']>): void => {
    const { id, ial } = detail.data;
    this.addTo(detail.menu, { kind: 'document', ids: [id ?? ''], protyle: detail.protyle });
    if (!id || !ial?.['custom-marginalia-session']) return;
    const click = (): void => this.handle({ action: 'open-chat', kind: 'document', ids: [id] });
    detail.menu.addItem({ icon: 'iconMarginalia', label: this.text('openChat'), click });
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

  /** The model's right in a notebook, chosen in the notebook's menu. */
  private addRights(menu: SubMenu, notebook: string): void {
    const submenu = RIGHTS.map((right) => ({ label: this.text(`right.${right}`), click: () => this.setRight(notebook, right) }));
    menu.addItem({ icon: 'iconMarginalia', label: this.text('rights.notebookMenu'), type: 'submenu', submenu });
  }

  private addTo(menu: SubMenu, place: RequestTarget): void {
    const ids = place.ids.filter((id) => id !== '');
    if (ids.length === 0) return;
    menu.addItem({ icon: 'iconMarginalia', label: this.text('panel.name'), type: 'submenu', submenu: this.entries({ ...place, ids }) });
  }

  private entries(place: RequestTarget): Entry[] {
    const make = (label: string, action: Action): Entry => {
      return { label, icon: 'iconMarginalia', click: () => this.handle({ ...place, action }) };
    };
    const several = place.kind === 'block' && place.ids.length > 1;
    const ask = make(this.text(several ? 'ask_blocks' : `ask_${place.kind}`), 'ask');
    // Several documents are asked about together; everything else has one place for its result.
    if (place.kind === 'document' && place.ids.length > 1) return [ask];
    const own = this.prompts.map(({ id, name }) => make(escapeHtml(name), `prompt:${id}`));
    return [
      ask,
      ...ACTION_NAMES.map((action) => make(this.text(`do_${action}`), action)),
      // About a whole note.
      ...(place.kind === 'document' ? DATABASE_ACTION_NAMES.map((action) => make(this.text(`do_${action}`), action)) : []),
      ...(own.length > 0 ? [{ type: 'separator', label: '' } as const, ...own] : []),
    ];
  }

  private slashEntry(action: Action, filter: string[], label: string): Slash[number] {
    return {
      id: action.replace(':', '-'),
      filter: [...filter, ...OURS],
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
