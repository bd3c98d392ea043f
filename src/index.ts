import {
  type Custom,
  Dialog,
  getActiveEditor,
  getAllEditor,
  getFrontend,
  type MobileCustom,
  openMobileFileById,
  openTab,
  Plugin,
  showMessage,
} from 'siyuan';
import { iconSymbols } from './ui/icons.ts';
import { clearDevice } from './wiring/device.ts';
import { createEditorEntries, type EditorEntries } from './wiring/editor-entries.ts';
import type { EditorRequest, PanelApp, PanelModule } from './wiring/panel-host.ts';

/** File name of the panel's chunk, with its content hash; set by the build. */
declare const PANEL_CHUNK: string;

const DOCK = 'panel';
type Dock = Custom | MobileCustom;

/** Lifecycle and wiring only: the panel and everything behind it is a chunk that loads when it is first needed. */
export default class Marginalia extends Plugin {
  private product: Promise<PanelApp> | undefined;
  private panel: { focus(): void; unmount(): void } | undefined;
  private readonly entries: EditorEntries = createEditorEntries(
    (key) => String(this.i18n[key] ?? key),
    (request) => void this.handle(request),
  );

  override onload(): void {
    this.addIcons(iconSymbols);
    this.addDock({
      type: DOCK,
      config: {
        position: 'RightTop',
        size: { width: 380, height: 0 },
        icon: 'iconMarginalia',
        title: String(this.i18n['panel.name'] ?? 'Marginalia'),
        hotkey: '⌥⌘M',
      },
      data: {},
      init: (dock: Dock) => void this.mount(dock.element as HTMLElement),
      destroy: () => this.unmount(),
    });
    this.addCommand({ langKey: 'openPanel', hotkey: '', callback: () => void this.reveal() });
    this.addCommand({ langKey: 'newChat', hotkey: '', callback: () => void this.running().then((app) => app.newChat()) });
    this.addCommand({ langKey: 'stopAnswer', hotkey: '', callback: () => void this.running().then((app) => app.stop()) });
    this.protyleSlash = this.entries.slash;
    this.eventBus.on('click-blockicon', this.entries.onBlockMenu);
    this.eventBus.on('click-editortitleicon', this.entries.onTitleMenu);
  }

  override onunload(): void {
    this.eventBus.off('click-blockicon', this.entries.onBlockMenu);
    this.eventBus.off('click-editortitleicon', this.entries.onTitleMenu);
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

  /** Opens the dock if it is closed. On phones docks are entries of a menu, which only a finger can open: it is said there. */
  private async reveal(focus = true): Promise<PanelApp> {
    const item = document.querySelector<HTMLElement>(`.dock__item[data-type="${this.name}${DOCK}"]`);
    if (item && !item.classList.contains('dock__item--active')) item.click();
    const app = await this.running();
    if (!item) showMessage(String(this.i18n.openByHand ?? ''));
    else if (focus) this.panel?.focus();
    return app;
  }

  private async handle(request: EditorRequest): Promise<void> {
    try {
      // A summary needs no words from the user, so the caret stays where they write.
      await (await this.reveal(request.action !== 'summarize')).handle(request);
    } catch (error) {
      showMessage(error instanceof Error ? error.message.replace(/[<&]/g, '') : 'Marginalia', 6000, 'error');
    }
  }
}
