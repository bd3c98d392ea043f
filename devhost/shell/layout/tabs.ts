import { create, icon, must, shortId } from '../core/dom.ts';
import { app, siyuan } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { CustomModel } from '../core/types.ts';
import { callSafely } from './custom.ts';
import { focusPanel, onResize } from './dock.ts';
import { savedLayout, saveLayout } from './saved.ts';

/** What a tab shows: a plugin's Custom, or an editor (layout/documents.ts). */
export interface TabModel {
  element: HTMLElement;
  type?: string;
  data?: unknown;
  editor?: { protyle: { block: { rootID?: string } }; resize(): void; destroy(): void };
  beforeDestroy?: (() => void) | undefined;
  destroy?: (() => void) | undefined;
  resize?: (() => void) | undefined;
  update?: (() => void) | undefined;
}

/** A tab of the centre, with the members of SiYuan's Tab that plugins use. */
export class Tab {
  readonly id = shortId();
  readonly headElement: HTMLElement;
  readonly panelElement: HTMLElement;
  readonly parent = tabWindow;
  title: string;
  icon: string;
  model: TabModel | undefined;
  private readonly label: HTMLElement;

  constructor(title: string, iconId: string) {
    this.title = title;
    this.icon = iconId;
    this.label = create('span', 'item__text', {}, title);
    const close = create('span', 'item__close', { role: 'button', 'aria-label': text('close') }, icon('iconClose'));
    this.headElement = create(
      'li',
      'item',
      { 'data-type': 'tab-header', 'data-id': this.id, role: 'tab', 'aria-label': title },
      icon(iconId, 'item__graphic'),
      this.label,
      close,
    );
    this.panelElement = create('div', 'fn__flex-1 layout__tab fn__none', { 'data-id': this.id, role: 'tabpanel' });
    close.addEventListener('click', (event) => {
      event.stopPropagation();
      this.close();
    });
    this.headElement.addEventListener('click', () => switchTab(this));
    this.headElement.addEventListener('auxclick', (event) => {
      if (event.button === 1) this.close();
    });
    this.panelElement.addEventListener('mousedown', () => focusPanel(this.panelElement));
  }

  updateTitle(title: string): void {
    this.title = title;
    this.label.textContent = title;
    this.headElement.setAttribute('aria-label', title);
  }

  addModel(model: TabModel): void {
    this.model = model;
  }

  close(): void {
    closeTab(this.id);
  }
}

const tabs: Tab[] = [];
/** Stands for SiYuan's Wnd: `tab.parent.removeTab(id)` closes a tab. */
const tabWindow = {
  removeTab: (id: string) => closeTab(id),
  switchTab: (head: HTMLElement) => {
    const tab = tabs.find((candidate) => candidate.headElement === head);
    if (tab) switchTab(tab);
  },
  children: tabs,
};
let active: Tab | undefined;
const switchListeners: ((tab: Tab | undefined) => void)[] = [];

export function initTabs(): void {
  siyuan.layout.centerLayout = { children: [tabWindow] };
  showEmpty();
  onResize(() => active?.model?.resize?.call(active.model));
}

export function allTabs(): Tab[] {
  return [...tabs];
}

export function activeTab(): Tab | undefined {
  return active;
}

export function onSwitch(listener: (tab: Tab | undefined) => void): void {
  switchListeners.push(listener);
}

/** Adds a tab behind the active one; `fill` makes its model once the panel is in the page. */
export function addTab(title: string, iconId: string, fill: (tab: Tab) => TabModel | undefined, keepCursor = false): Tab {
  const tab = new Tab(title, iconId);
  const at = active ? tabs.indexOf(active) + 1 : tabs.length;
  tabs.splice(at, 0, tab);
  const bar = must('.layout-tab-bar');
  bar.insertBefore(tab.headElement, bar.children[at] ?? null);
  must('#center .layout-tab-container').append(tab.panelElement);
  const front = !keepCursor || !active;
  if (front) activate(tab); // the panel has its size before the model is made
  callSafely(`tab ${title} init`, () => {
    const model = fill(tab);
    if (model) tab.addModel(model);
  });
  rememberTabs();
  if (front) for (const listener of switchListeners) listener(tab);
  return tab;
}

export function switchTab(tab: Tab): void {
  activate(tab);
  rememberTabs();
  for (const listener of switchListeners) listener(tab);
}

function activate(tab: Tab): void {
  active = tab;
  for (const other of tabs) {
    const current = other === tab;
    other.headElement.classList.toggle('item--focus', current);
    other.headElement.setAttribute('aria-selected', String(current));
    other.panelElement.classList.toggle('fn__none', !current);
  }
  tab.headElement.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  focusPanel(tab.panelElement);
  showEmpty();
}

export function closeTab(id: string): void {
  const index = tabs.findIndex((tab) => tab.id === id);
  const tab = tabs[index];
  if (!tab) return;
  const model = tab.model;
  if (model?.beforeDestroy) callSafely(`tab ${tab.title} beforeDestroy`, () => model.beforeDestroy?.call(model));
  if (model?.destroy) callSafely(`tab ${tab.title} destroy`, () => model.destroy?.call(model));
  model?.editor?.destroy();
  tabs.splice(index, 1);
  tab.headElement.remove();
  tab.panelElement.remove();
  if (active === tab) {
    active = undefined;
    const next = tabs[index] ?? tabs[index - 1];
    if (next) switchTab(next);
    else for (const listener of switchListeners) listener(undefined);
  }
  showEmpty();
  rememberTabs();
}

/** Custom tabs of a plugin type; the type is plugin name + tab type. */
export function customTabs(type?: string): Tab[] {
  return tabs.filter((tab) => tab.model && !tab.model.editor && (!type || tab.model.type === type));
}

/** `openTab({custom})`: shows the tab of that id and data, or makes it with the plugin's `addTab`. */
export function openCustomTab(options: { id: string; title: string; icon: string; data?: unknown }, keepCursor = false): Tab | undefined {
  const same = customTabs(options.id).find((tab) => JSON.stringify(tab.model?.data ?? null) === JSON.stringify(options.data ?? null));
  if (same) {
    switchTab(same);
    return same;
  }
  const make = app.plugins.map((plugin) => plugin.models[options.id]).find(Boolean);
  if (!make) return undefined;
  return addTab(options.title, options.icon, (tab) => make({ tab, data: options.data }) as CustomModel & TabModel, keepCursor);
}

function showEmpty(): void {
  const container = must('#center .layout-tab-container');
  container.querySelector('.layout__empty')?.remove();
  if (tabs.length === 0) container.append(create('div', 'layout__empty', {}, text('noDocument')));
}

function rememberTabs(): void {
  const documents = tabs.map((tab) => tab.model?.editor?.protyle.block.rootID ?? '').filter(Boolean);
  const current = active?.model?.editor?.protyle.block.rootID ?? savedLayout.active;
  saveLayout({ documents, active: current });
}
