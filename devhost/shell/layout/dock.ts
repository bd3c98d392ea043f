import { create, icon, must, shortId } from '../core/dom.ts';
import type { CustomModel, DockConfig } from '../core/types.ts';
import { hotkeyLabel } from '../ui/hotkey.ts';
import { callSafely } from './custom.ts';
import { savedLayout, saveLayout } from './saved.ts';
import { bindSplitter } from './splitter.ts';

type Side = 'Left' | 'Right';

interface DockItem {
  type: string;
  group: 0 | 1;
  button: HTMLElement;
  open: (panel: HTMLElement) => CustomModel | undefined;
  width: number;
  panel?: HTMLElement;
  model?: CustomModel | undefined;
}

const defaultWidth = 360;
const minWidth = 200;

/** A rail of icons and the panel beside it. Two groups, each shows one panel at a time; hiding keeps the panel. */
export class Dock {
  readonly side: Side;
  /** Opened models by type, as `getModelByDockType` reads them. */
  readonly data: Record<string, CustomModel | undefined> = {};
  private readonly items = new Map<string, DockItem>();
  private readonly groups: [HTMLElement, HTMLElement];
  private readonly panels: [HTMLElement, HTMLElement];
  private readonly column: HTMLElement;
  private readonly splitter: HTMLElement;

  constructor(side: Side) {
    this.side = side;
    this.groups = [create('div', 'dock__items'), create('div', 'dock__items')];
    const rail = create(
      'div',
      `dock dock--${side.toLowerCase()}`,
      { id: `dock${side}` },
      this.groups[0],
      create('div', 'dock__split'),
      this.groups[1],
    );
    this.panels = [create('div', 'layout-tab-container fn__none'), create('div', 'layout-tab-container fn__none')];
    this.column = create('div', `layout__dock${side[0]?.toLowerCase() ?? ''} layout__dock fn__none`, {}, ...this.panels);
    this.splitter = create('div', 'layout__resize fn__none', { role: 'separator', 'aria-orientation': 'vertical' });
    const layouts = must('#layouts');
    if (side === 'Left') {
      must('#center').before(this.column, this.splitter);
      layouts.prepend(rail);
    } else {
      must('#center').after(this.splitter, this.column);
      layouts.append(rail);
    }
    bindSplitter(this.splitter, side, this.column, minWidth, () => {
      saveLayout({ widths: { ...savedLayout.widths, [side]: this.column.clientWidth } });
      resizeAll();
    });
  }

  add(type: string, config: DockConfig, open: (panel: HTMLElement) => CustomModel | undefined): void {
    if (this.items.has(type)) return;
    const label = config.hotkey ? `${config.title} ${hotkeyLabel(config.hotkey)}` : config.title;
    const button = create('span', 'dock__item ariaLabel', {
      role: 'button',
      tabindex: '0',
      'aria-label': config.title,
      'aria-pressed': 'false',
      'data-type': type,
      'data-title': label,
    });
    button.append(icon(config.icon));
    const group = config.position.endsWith('Bottom') || config.position === 'BottomRight' ? 1 : 0;
    this.items.set(type, { type, group, button, open, width: config.size?.width ?? 0 });
    this.groups[group].append(button);
    button.addEventListener('click', () => this.toggle(type));
    button.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') this.toggle(type);
    });
    if (savedLayout.docks[type] ?? config.show) this.show(type, false);
  }

  has(type: string): boolean {
    return this.items.has(type);
  }

  isOpen(type: string): boolean {
    return this.items.get(type)?.button.classList.contains('dock__item--active') ?? false;
  }

  /** As in SiYuan, the icon of an open panel that does not have the focus brings the focus there; else it hides the panel. */
  toggle(type: string): void {
    const item = this.items.get(type);
    if (!item) return;
    if (!this.isOpen(type)) this.show(type);
    else if (item.panel && !item.panel.classList.contains('layout__tab--active')) focusPanel(item.panel);
    else this.hide(type);
  }

  /** Alias of SiYuan's Dock, which plugins reach by `getModelByDockType`. */
  toggleModel(type: string, show = false): void {
    if (show) this.show(type);
    else this.toggle(type);
  }

  show(type: string, remember = true): void {
    const item = this.items.get(type);
    if (!item) return;
    for (const other of this.items.values()) if (other.group === item.group && other !== item) this.setActive(other, false);
    this.setActive(item, true);
    const first = !item.panel;
    item.panel ??= create('div', 'layout__tab fn__flex-1', { 'data-id': shortId(), 'data-dock': type });
    if (first) this.panels[item.group].append(item.panel);
    this.arrange(item.width);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (first) {
      const panel = item.panel;
      panel.addEventListener('mousedown', () => focusPanel(panel));
      panel.addEventListener('click', (event) => {
        if ((event.target as Element).closest('[data-type="min"]')) this.hide(type);
      });
      callSafely(`dock ${type} init`, () => {
        item.model = item.open(panel);
        this.data[type] = item.model;
      });
    }
    focusPanel(item.panel);
    if (remember) saveLayout({ docks: { ...savedLayout.docks, [type]: true } });
    resizeAll();
  }

  hide(type: string): void {
    const item = this.items.get(type);
    if (!item) return;
    this.setActive(item, false);
    this.arrange();
    saveLayout({ docks: { ...savedLayout.docks, [type]: false } });
    resizeAll();
  }

  /** Takes a dock away for good: its plugin was unloaded. */
  remove(type: string): void {
    const item = this.items.get(type);
    if (!item) return;
    if (item.model?.destroy) callSafely(`dock ${type} destroy`, () => item.model?.destroy?.call(item.model));
    item.button.remove();
    item.panel?.remove();
    this.items.delete(type);
    delete this.data[type];
    this.arrange();
  }

  resize(): void {
    for (const item of this.items.values()) {
      if (this.isOpen(item.type) && item.model?.resize) callSafely(`dock ${item.type} resize`, () => item.model?.resize?.call(item.model));
    }
  }

  private setActive(item: DockItem, active: boolean): void {
    item.button.classList.toggle('dock__item--active', active);
    item.button.setAttribute('aria-pressed', String(active));
    item.panel?.classList.remove('layout__tab--active');
  }

  private arrange(wanted = 0): void {
    const shown = [false, false];
    for (const item of this.items.values()) {
      const open = this.isOpen(item.type);
      item.panel?.classList.toggle('fn__none', !open);
      if (open) shown[item.group] = true;
    }
    for (const [index, panel] of this.panels.entries()) panel.classList.toggle('fn__none', !shown[index]);
    const any = shown.includes(true);
    const opening = any && this.column.classList.contains('fn__none');
    this.column.classList.toggle('fn__none', !any);
    this.splitter.classList.toggle('fn__none', !any);
    if (opening) {
      const fallback = wanted > minWidth ? wanted : this.side === 'Left' ? 228 : defaultWidth;
      this.column.style.width = `${savedLayout.widths[this.side] ?? fallback}px`;
    }
  }
}

/** Marks the panel that the user works in; only one at a time has it. */
export function focusPanel(panel: Element): void {
  for (const other of document.querySelectorAll('.layout__tab--active')) other.classList.remove('layout__tab--active');
  panel.classList.add('layout__tab--active');
}

const docks: Partial<Record<Side, Dock>> = {};
const resizeListeners: (() => void)[] = [];

export function initDocks(): void {
  docks.Left = new Dock('Left');
  docks.Right = new Dock('Right');
  window.addEventListener('resize', resizeAll);
}

export function onResize(listener: () => void): void {
  resizeListeners.push(listener);
}

function resizeAll(): void {
  for (const dock of Object.values(docks)) dock.resize();
  for (const listener of resizeListeners) listener();
}

/** The rail for a position; the bottom dock's places are the lower groups of the side rails here. */
export function dockFor(position: string): Dock | undefined {
  return position.startsWith('Left') || position === 'BottomLeft' ? docks.Left : docks.Right;
}

export function dockOfType(type: string): Dock | undefined {
  return Object.values(docks).find((dock) => dock.has(type));
}
