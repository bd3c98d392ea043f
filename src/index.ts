import {
  type Custom,
  Dialog,
  getActiveEditor,
  getAllEditor,
  getFrontend,
  type IEventBusMap,
  Menu,
  type MobileCustom,
  openMobileFileById,
  openTab,
  Plugin,
  ProtyleMethod,
  showMessage,
} from 'siyuan';
import { COMMANDS, DEFAULT_KEYS } from './app/commands.ts';
import { clearDevice, ordersHere, programsHere } from './app/device-storage.ts';
import { EditorEntries, toolbarButton } from './app/editor/editor-entries.ts';
import type { PanelApp, PanelModule, PanelOpening, StartSettings } from './app/panel-host.ts';
import { PanelTabs } from './app/panel-tabs.ts';
import { removePlugin } from './app/removal.ts';
import { TABS } from './app/tabs.ts';
import { SOURCE_ATTRIBUTE } from './host/blocks/source-attributes.ts';
import { inBackground } from './tools/util/notify.ts';
import { iconSymbols } from './ui/controls/icons.ts';

/** File name of the panel's chunk, with its content hash; set by the build. */
declare const PANEL_CHUNK: string;
const DOCK = 'panel';
/** Of the page, where the editor does not show what models wrote (panel.css). */
const UNMARKED = 'marginalia-unmarked';
/** Milliseconds for each of the two hooks that end the plugin: since 3.8 SiYuan waits for them, five seconds in all. */
const ENDING_MS = 2000;
type Dock = Custom | MobileCustom;

/** Settles when the work has, or when the time is up; the work goes on then. */
async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ENDING_MS);
  });
  const failed = (error: unknown): void => console.error('Marginalia did not end as it should', error);
  await Promise.race([work.then(() => undefined, failed), late]);
  clearTimeout(timer);
}

/** Lifecycle and wiring only: the panel and everything behind it is a chunk that loads when it is first needed. */
export default class Marginalia extends Plugin {
  private product: Promise<PanelApp> | undefined;
  private hasReason = false;
  private closed: Promise<void> | undefined;
  /** Undefined once what follows edits by hand listens for itself. */
  private early: unknown[] | undefined = [];
  private panel: { focus(): void; unmount(): void } | undefined;
  private readonly tabs = new Map(
    TABS.map((type) => [
      type,
      new PanelTabs({
        type,
        running: () => this.running(),
        failed: (element, error, again) => this.sayNotLoaded(element, error, again),
      }),
    ]),
  );
  private readonly entries = new EditorEntries(
    (key) => String(this.i18n[key] ?? key),
    (request) => inBackground(this.attempt((app) => app.handle(request))),
    (notebook, right) => inBackground(this.attempt((app) => app.setRight(notebook, right))),
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
        hotkey: '⌥⌘J',
      },
      data: {},
      init: (dock: Dock) => inBackground(this.mount(dock.element as HTMLElement)),
      destroy: () => this.unmount(),
    });
    for (const [type, tabs] of this.tabs)
      this.addTab({
        type,
        init() {
          inBackground(tabs.draw(this));
        },
        destroy() {
          tabs.remove(this);
        },
      });
    for (const langKey of COMMANDS)
      this.addCommand({
        langKey,
        hotkey: DEFAULT_KEYS[langKey] ?? '',
        callback: () => inBackground(this.attempt((app) => app.command(langKey))),
      });
    this.takeSettings({});
    this.entries.listen(this.eventBus, 'on');
    this.eventBus.on('ws-main', this.onPush);
  }

  override async onLayoutReady(): Promise<void> {
    // Without them the commands are there as soon as the panel is.
    const read = (settings: unknown): void => this.takeSettings(Object(settings));
    await this.loadData('settings.json').then(read, () => undefined);
    // What runs by itself in this app does not wait for the panel to be opened.
    if (ordersHere.get() || programsHere.isOn()) await this.running().catch(() => undefined);
  }

  /** The host asks before the fields of this class are there. */
  override updateProtyleToolbar(toolbar: Parameters<Plugin['updateProtyleToolbar']>[0]): ReturnType<Plugin['updateProtyleToolbar']> {
    return [...toolbar, toolbarButton(this.i18n, ({ protyle }) => this.entries.openFor(protyle, new Menu('marginaliaSelection')))];
  }

  override onunload(): Promise<void> {
    this.entries.listen(this.eventBus, 'off');
    this.eventBus.off('ws-main', this.onPush);
    this.unmount();
    for (const tabs of this.tabs.values()) tabs.close();
    document.documentElement.classList.remove(UNMARKED);
    this.closed = Promise.resolve(this.product).then((app) => app?.dispose());
    this.product = undefined;
    return inTime(this.closed);
  }

  /**
   * The default reloads the plugin, which would cut a running turn. `overwrite`: another window of this SiYuan wrote our files, and
   * said what it wrote already.
   */
  override async onDataChanged(reason?: 'sync' | 'overwrite'): Promise<void> {
    this.hasReason ||= reason !== undefined;
    if (reason === 'overwrite') return;
    await this.product?.then(
      (app) => app.dataChanged(),
      () => undefined,
    );
  }

  /** Removes the keys of this device at once, chats and settings only after a question; chats that were saved as notes stay notes. */
  override uninstall(): Promise<void> {
    clearDevice();
    const clear = (): Promise<void> => removePlugin({ Dialog, name: this.name, words: (key) => String(this.i18n[key] ?? key) });
    return inTime(Promise.resolve(this.closed).then(clear, clear));
  }

  /** The first edit of a block that a model wrote loads what follows such edits (hand-edits.ts), which must know of this one too. */
  private readonly onPush = ({ detail }: CustomEvent<IEventBusMap['ws-main']>): void => {
    const { early } = this;
    if (!early || (early.length === 0 && (detail.cmd !== 'transactions' || !JSON.stringify(detail.data).includes(SOURCE_ATTRIBUTE))))
      return;
    early.push(detail);
    if (early.length > 1) return;
    const end = (): void => {
      this.early = undefined;
    };
    void this.running().then(
      (app) => app.hear(early).then(end),
      () => early.splice(0),
    );
  };

  private takeSettings(settings: StartSettings): void {
    this.protyleSlash = this.entries.slash(settings);
    document.documentElement.classList.toggle(UNMARKED, settings.markWritten === false);
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
      siyuan: { Dialog, getActiveEditor, getAllEditor, getFrontend, openMobileFileById, openTab, ProtyleMethod, showMessage },
      openPanel: (opening) => this.reveal(opening),
      tellsReasons: () => this.hasReason,
      onSettings: (settings) => this.takeSettings(settings),
    });
  }

  private async mount(element: HTMLElement): Promise<void> {
    try {
      const app = await this.running();
      this.unmount();
      this.panel = app.mount(element);
    } catch (error) {
      this.sayNotLoaded(element, error, () => inBackground(this.mount(element)));
    }
  }

  private sayNotLoaded(element: HTMLElement, error: unknown, again: () => void): void {
    const words = document.createElement('p');
    words.textContent = `${this.i18n.loadFailed ?? 'Marginalia could not be loaded.'} ${error instanceof Error ? error.message : error}`;
    const retry = document.createElement('button');
    retry.className = 'b3-button b3-button--outline';
    retry.textContent = String(this.i18n['action.retry'] ?? 'Retry');
    retry.addEventListener('click', () => {
      element.replaceChildren();
      again();
    });
    element.replaceChildren(words, retry);
  }

  private unmount(): void {
    this.panel?.unmount();
    this.panel = undefined;
  }

  /** Opens the dock if it is closed. On phones docks are entries of a menu, which only a tap can open: a message says so. */
  private async reveal(opening: PanelOpening = 'asked'): Promise<void> {
    const item = document.querySelector<HTMLElement>(`.dock__item[data-type="${this.name}${DOCK}"]`);
    const closed = item?.classList.contains('dock__item--active') === false;
    if (closed) item.click();
    await this.running();
    const takesFocus = opening !== 'command';
    if (!item && (takesFocus || !this.panel))
      showMessage(String(this.i18n[opening === 'filled' ? 'openByHandFilled' : 'openByHand'] ?? ''));
    else if (takesFocus || closed) this.panel?.focus();
  }

  private async attempt(work: (app: PanelApp) => Promise<void>): Promise<void> {
    try {
      await work(await this.running());
    } catch (error) {
      showMessage(error instanceof Error ? error.message.replace(/[<&]/g, '') : 'Marginalia', 6000, 'error');
    }
  }
}
