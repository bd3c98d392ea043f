import {
  type Custom,
  Dialog,
  getActiveEditor,
  getAllEditor,
  getFrontend,
  type IEventBusMap,
  type MobileCustom,
  openMobileFileById,
  openTab,
  Plugin,
  type Protyle,
  showMessage,
} from 'siyuan';
import { iconSymbols } from './ui/icons.ts';
import { clearDevice } from './wiring/device.ts';
import type { EditorRequest, PanelApp, PanelModule } from './wiring/panel-host.ts';

/** File name of the panel's chunk, with its content hash; set by the build. */
declare const PANEL_CHUNK: string;

const DOCK = 'panel';
type Dock = Custom | MobileCustom;

/** Lifecycle and wiring only: the panel and everything behind it is a chunk that loads when it is first needed. */
export default class Marginalia extends Plugin {
  private product: Promise<PanelApp> | undefined;
  private panel: { focus(): void; unmount(): void } | undefined;
  private readonly onBlockMenu = (event: CustomEvent<IEventBusMap['click-blockicon']>): void => this.addBlockMenu(event.detail);
  private readonly onTitleMenu = (event: CustomEvent<IEventBusMap['click-editortitleicon']>): void => this.addTitleMenu(event.detail);

  override onload(): void {
    this.addIcons(iconSymbols);
    this.addDock({
      type: DOCK,
      config: { position: 'RightTop', size: { width: 380, height: 0 }, icon: 'iconMarginalia', title: 'Marginalia', hotkey: '⌥⌘M' },
      data: {},
      init: (dock: Dock) => void this.mount(dock.element as HTMLElement),
      destroy: () => this.unmount(),
    });
    this.addCommand({ langKey: 'openPanel', hotkey: '', callback: () => void this.reveal() });
    this.addCommand({ langKey: 'newChat', hotkey: '', callback: () => void this.running().then((app) => app.newChat()) });
    this.addCommand({ langKey: 'stopAnswer', hotkey: '', callback: () => void this.running().then((app) => app.stop()) });
    this.protyleSlash = [this.slash('ask', ['ask', '提问', 'tiwen']), this.slash('summarize', ['summarize', '总结', 'zongjie'])];
    this.eventBus.on('click-blockicon', this.onBlockMenu);
    this.eventBus.on('click-editortitleicon', this.onTitleMenu);
  }

  override onunload(): void {
    this.eventBus.off('click-blockicon', this.onBlockMenu);
    this.eventBus.off('click-editortitleicon', this.onTitleMenu);
    this.unmount();
    void this.product?.then((app) => app.dispose());
    this.product = undefined;
  }

  /** The default reloads the plugin, which would cut a running turn; chats are files of their own, read when opened. */
  override onDataChanged(): void {}

  /** Removes settings, chats and keys, as the marketplace asks; chats that were saved as notes stay notes. */
  override uninstall(): void {
    clearDevice();
    void fetch('/api/file/removeFile', { method: 'POST', body: JSON.stringify({ path: `/data/storage/petal/${this.name}` }) });
  }

  /** The one instance of the running product. A chunk that failed to load is tried again at the next need. */
  private running(): Promise<PanelApp> {
    this.product ??= this.load().catch((error: unknown) => {
      this.product = undefined;
      throw error;
    });
    return this.product;
  }

  private async load(): Promise<PanelApp> {
    const module: PanelModule = await import(`/plugins/${this.name}/${PANEL_CHUNK}`);
    return module.startPanel({
      plugin: this,
      siyuan: { Dialog, getActiveEditor, getAllEditor, getFrontend, openMobileFileById, openTab, showMessage },
    });
  }

  private async mount(element: HTMLElement): Promise<void> {
    try {
      const app = await this.running();
      this.unmount();
      this.panel = app.mount(element);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      element.textContent = `${this.i18n.loadFailed ?? 'Marginalia could not be loaded.'} ${reason}`;
    }
  }

  private unmount(): void {
    this.panel?.unmount();
    this.panel = undefined;
  }

  /** Opens the dock if it is closed; on phones docks are entries of a menu and open by hand. */
  private async reveal(): Promise<PanelApp> {
    const item = document.querySelector<HTMLElement>(`.dock__item[data-type="${this.name}${DOCK}"]`);
    if (item && !item.classList.contains('dock__item--active')) item.click();
    const app = await this.running();
    this.panel?.focus();
    return app;
  }

  private async handle(request: EditorRequest): Promise<void> {
    try {
      await (await this.reveal()).handle(request);
    } catch (error) {
      showMessage(error instanceof Error ? error.message.replace(/[<&]/g, '') : 'Marginalia', 6000, 'error');
    }
  }

  private slash(action: 'ask' | 'summarize', filter: string[]): Plugin['protyleSlash'][number] {
    const label = this.i18n[`slash_${action}`] ?? action;
    return {
      id: action,
      filter,
      html: `<div class="b3-list-item__first"><svg class="b3-list-item__graphic"><use xlink:href="#iconMarginalia"></use></svg><span class="b3-list-item__text">${label}</span></div>`,
      callback: (protyle: Protyle, node: HTMLElement) => {
        protyle.insert(window.Lute.Caret);
        const block = node.dataset.nodeId;
        const root = protyle.protyle.block.rootID;
        if (action === 'summarize' && root) void this.handle({ action, kind: 'document', id: root });
        else if (block) void this.handle({ action, kind: 'block', id: block });
      },
    };
  }

  private addBlockMenu(detail: IEventBusMap['click-blockicon']): void {
    const id = detail.blockElements[0]?.dataset.nodeId;
    if (!id) return;
    detail.menu.addItem({
      icon: 'iconMarginalia',
      label: this.i18n.askBlock ?? 'Ask about this block',
      click: () => void this.handle({ action: 'ask', kind: 'block', id }),
    });
  }

  private addTitleMenu(detail: IEventBusMap['click-editortitleicon']): void {
    const id = detail.data.id;
    if (!id) return;
    detail.menu.addItem({
      icon: 'iconMarginalia',
      label: this.i18n.askDocument ?? 'Ask about this note',
      click: () => void this.handle({ action: 'ask', kind: 'document', id }),
    });
    if (!detail.data.ial?.['custom-marginalia-session']) return;
    detail.menu.addItem({
      icon: 'iconMarginalia',
      label: this.i18n.openChat ?? 'Open the chat of this note',
      click: () => void this.handle({ action: 'open-chat', kind: 'document', id }),
    });
  }
}
