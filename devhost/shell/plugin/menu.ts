import type { MenuOptions, Position } from '../core/types.ts';
import { type CommonMenu, commonMenu } from '../ui/menu.ts';

/** The plugin API's Menu: a view on the page's one menu. Opening the menu of the same id again closes it. */
export class Menu {
  element: HTMLElement;
  isOpen: boolean;
  private readonly menu: CommonMenu;

  constructor(id?: string, closeCallback?: () => void) {
    this.menu = commonMenu();
    this.element = this.menu.element;
    this.isOpen = !!id && this.menu.isShown && this.element.getAttribute('data-name') === id;
    this.menu.remove();
    if (this.isOpen) return;
    if (id) this.element.setAttribute('data-name', id);
    this.menu.removeCB = closeCallback;
  }

  addItem(options: MenuOptions): HTMLElement | undefined {
    return this.isOpen ? undefined : this.menu.addItem(options);
  }

  addSeparator(options?: number | { index?: number; id?: string; ignore?: boolean }, ignore = false): HTMLElement | undefined {
    const skip = typeof options === 'object' ? options.ignore : ignore;
    if (skip || this.isOpen) return undefined;
    const index = typeof options === 'object' ? options.index : options;
    return this.menu.addItem({ type: 'separator', index });
  }

  showSubMenu(submenu: HTMLElement): void {
    this.menu.showSubMenu(submenu);
  }

  open(position: Position): void {
    if (!this.isOpen) this.menu.popup(position);
  }

  fullscreen(): void {
    if (!this.isOpen) this.menu.fullscreen();
  }

  close(): void {
    this.menu.remove();
  }
}
