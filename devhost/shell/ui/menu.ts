import { create, icon } from '../core/dom.ts';
import { emitAll, query, siyuan } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { MenuOptions, Position } from '../core/types.ts';
import { hotkeyLabel } from './hotkey.ts';

/** One entry of a menu; `window.siyuan.menus.menu` and plugins' submenus are built of these. */
function menuItem(options: MenuOptions): HTMLElement | undefined {
  if (options.ignore) return undefined;
  if (options.type === 'empty') {
    const element = create('div');
    element.innerHTML = options.label ?? '';
    options.bind?.(element);
    return element;
  }
  if (options.type === 'separator') return create('button', 'b3-menu__separator', options.id ? { 'data-id': options.id } : {});
  const element = create('button', 'b3-menu__item', { type: 'button', role: 'menuitem' });
  if (options.id) element.dataset.id = options.id;
  if (options.disabled) element.setAttribute('disabled', 'disabled');
  if (options.type === 'readonly') element.classList.add('b3-menu__item--readonly');
  if (options.icon === 'iconTrashcan' || options.warning) element.classList.add('b3-menu__item--warning');
  if (options.current) element.classList.add('b3-menu__item--selected');
  fillItem(element, options);
  if (options.bind) {
    element.classList.add('b3-menu__item--custom');
    options.bind(element);
  }
  if (options.submenu) addSubmenu(element, options.submenu);
  if (options.click) {
    element.addEventListener('click', (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (element.getAttribute('disabled')) return;
      const keepOpen = options.click?.(element, event);
      if (keepOpen !== true) commonMenu().remove();
    });
  }
  return element;
}

function fillItem(element: HTMLElement, options: MenuOptions): void {
  if (options.element) {
    element.append(options.element);
    return;
  }
  if (typeof options.iconHTML === 'string') element.insertAdjacentHTML('beforeend', options.iconHTML);
  else element.append(icon(options.icon ?? '', `b3-menu__icon ${options.iconClass ?? ''}`.trim()));
  const label = create('span', 'b3-menu__label');
  label.innerHTML = options.label || '&nbsp;';
  element.append(label);
  if (options.accelerator) element.append(create('span', 'b3-menu__accelerator', {}, hotkeyLabel(options.accelerator)));
  if (options.action) element.append(icon(options.action, 'b3-menu__action'));
  if (options.checked) element.append(icon('iconSelect', 'b3-menu__checked'));
}

function addSubmenu(element: HTMLElement, entries: MenuOptions[]): void {
  const items = create('div', 'b3-menu__items');
  for (const entry of entries) items.append(menuItem(entry) ?? '');
  const submenu = create('div', 'b3-menu__submenu', { role: 'menu' }, items);
  element.append(icon('iconRight', 'b3-menu__icon b3-menu__icon--small'), submenu);
  element.addEventListener('mouseenter', () => openSubmenu(element, submenu));
  element.addEventListener('click', (event) => {
    if (submenu.contains(event.target as Node)) return;
    event.stopPropagation();
    openSubmenu(element, submenu);
  });
}

function openSubmenu(element: HTMLElement, submenu: HTMLElement): void {
  for (const other of element.parentElement?.querySelectorAll('.b3-menu__item--show') ?? []) other.classList.remove('b3-menu__item--show');
  element.classList.add('b3-menu__item--show');
  const item = element.getBoundingClientRect();
  const size = submenu.getBoundingClientRect();
  const left = item.right + size.width + 8 <= innerWidth ? item.right + 4 : Math.max(0, item.left - size.width - 4);
  submenu.style.left = `${left}px`;
  submenu.style.top = `${Math.max(0, Math.min(item.top - 8, innerHeight - size.height - 8))}px`;
}

/** The page's single menu (`window.siyuan.menus.menu`). */
export class CommonMenu {
  element: HTMLElement;
  removeCB: (() => void) | undefined;
  data: unknown;
  private readonly items: HTMLElement;

  constructor() {
    this.items = create('div', 'b3-menu__items');
    const title = create(
      'button',
      'b3-menu__title fn__none',
      {},
      icon('iconLeft', 'b3-menu__icon'),
      create('span', 'b3-menu__label', {}, text('back')),
    );
    title.addEventListener('click', () => this.remove());
    this.element = create('div', 'b3-menu fn__none', { id: 'commonMenu', role: 'menu' }, title, this.items);
    document.body.append(this.element);
    // As in SiYuan at the end of a click, too: what opens a menu stops the click or is marked.
    for (const type of ['mousedown', 'click']) {
      window.addEventListener(type, ({ target }) => {
        if (target instanceof Element && !this.element.contains(target) && !target.closest('[data-menu="true"]')) this.remove();
      });
    }
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  get isShown(): boolean {
    return !this.element.classList.contains('fn__none');
  }

  addItem(options: MenuOptions): HTMLElement | undefined {
    const element = menuItem(options);
    this.append(element, options.index);
    return element;
  }

  append(element?: HTMLElement, index?: number): void {
    if (!element) return;
    const before = typeof index === 'number' ? this.items.querySelectorAll(':scope > .b3-menu__separator')[index] : undefined;
    if (before) before.before(element);
    else this.items.append(element);
  }

  popup(options: Position): void {
    if (this.items.childElementCount === 0) return;
    this.element.style.zIndex = String(++siyuan.zIndex);
    this.element.classList.remove('fn__none');
    const { width, height } = this.element.getBoundingClientRect();
    const x = options.isLeft ? options.x - width : options.x;
    const below = options.y + height <= innerHeight - 4;
    const y = below ? options.y : Math.max(4, options.y - (options.h ?? 0) - height);
    this.element.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
    this.element.style.top = `${y}px`;
  }

  fullscreen(): void {
    if (this.items.childElementCount === 0) return;
    this.element.style.zIndex = String(++siyuan.zIndex);
    this.element.classList.add('b3-menu--fullscreen');
    this.element.firstElementChild?.classList.remove('fn__none');
    this.element.classList.remove('fn__none');
  }

  showSubMenu(submenu: HTMLElement): void {
    if (submenu.parentElement) openSubmenu(submenu.parentElement, submenu);
  }

  remove(): void {
    const closed = this.removeCB;
    this.removeCB = undefined;
    closed?.();
    this.items.replaceChildren();
    this.element.firstElementChild?.classList.add('fn__none');
    this.element.className = 'b3-menu fn__none';
    this.element.removeAttribute('style');
    this.element.removeAttribute('data-name');
    this.data = undefined;
  }

  private onKey(event: KeyboardEvent): void {
    if (!this.isShown || event.isComposing || this.element.querySelector('input:focus, textarea:focus')) return;
    if (event.key === 'Escape') this.remove();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.step(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter') this.element.querySelector<HTMLElement>('.b3-menu__item--current')?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private step(direction: 1 | -1): void {
    const open =
      [...this.element.querySelectorAll<HTMLElement>('.b3-menu__item--show > .b3-menu__submenu > .b3-menu__items')].at(-1) ?? this.items;
    const entries = [...open.querySelectorAll<HTMLElement>(':scope > .b3-menu__item:not([disabled], .b3-menu__item--readonly)')];
    const current = entries.findIndex((entry) => entry.classList.contains('b3-menu__item--current'));
    entries[current]?.classList.remove('b3-menu__item--current');
    const next = current < 0 ? (direction > 0 ? 0 : entries.length - 1) : (current + direction + entries.length) % entries.length;
    entries[next]?.classList.add('b3-menu__item--current');
  }
}

let menu: CommonMenu | undefined;

export function commonMenu(): CommonMenu {
  menu ??= new CommonMenu();
  return menu;
}

/** The `menu` that plugins get in `click-blockicon` and its kin: it collects entries for the "Plugins" submenu. */
class SubMenu {
  menus: MenuOptions[] = [];

  addItem(options: MenuOptions): void {
    this.menus.push(options);
  }

  addSeparator(options?: number | { index?: number; id?: string; ignore?: boolean }): void {
    if (typeof options === 'object' && options.ignore) return;
    this.menus.push({ type: 'separator' });
  }
}

/** Lets every plugin add its entries to the menu that is being built; they appear under "Plugins", as in SiYuan. */
export function emitOpenMenu(type: string, detail: Record<string, unknown>, separator?: 'top' | 'bottom'): void {
  const collected = new SubMenu();
  emitAll(type, { ...detail, menu: collected });
  if (collected.menus.length === 0) return;
  const target = commonMenu();
  if (separator === 'top') target.addItem({ type: 'separator', id: 'separator_pluginTop' });
  target.addItem({ id: 'plugin', label: text('plugin'), icon: 'iconPlugin', type: 'submenu', submenu: collected.menus });
  if (separator === 'bottom') target.addItem({ type: 'separator', id: 'separator_pluginBottom' });
}

/** Opens the built menu where it belongs on this frontend. */
export function openMenu(position: Position): void {
  if (query.mobile) commonMenu().fullscreen();
  else commonMenu().popup(position);
}
