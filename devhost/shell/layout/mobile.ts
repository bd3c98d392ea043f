import { create, icon, must } from '../core/dom.ts';
import { app, siyuan } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { CustomModel } from '../core/types.ts';
import { commonMenu } from '../ui/menu.ts';
import { callSafely } from './custom.ts';
import { toolbarItem } from './frame.ts';
import { createTree } from './tree.ts';

let shown: { model: CustomModel | undefined; element: HTMLElement } | undefined;

/**
 * The small frontend (a phone's browser, or `?frontend=mobile`): docks are entries of a menu, one is mounted at a time over the
 * document, and it is destroyed when another is chosen or the sheet is closed.
 */
export function initMobile(openDocument: (id: string) => void): void {
  siyuan.mobile = { docks: {} };
  const open = toolbarItem('toolbarMore', 'iconList', text('more'), () => {
    const menu = commonMenu();
    menu.remove();
    menu.addItem({ label: text('fileTree'), icon: 'iconFiles', click: () => mountTree(openDocument) });
    for (const plugin of app.plugins) {
      for (const [type, entry] of Object.entries(plugin.docks)) {
        menu.addItem({
          label: entry.config.title,
          icon: entry.config.icon,
          click: () => mount(entry.config.title, (element) => entry.mobileModel(element), type),
        });
      }
    }
    menu.fullscreen();
  });
  must('#toolbar').prepend(open);
  addKeyboardBar();
}

/** SiYuan's bar of keys for writing: over the lower edge, and over any sheet, while the caret is in a text or a field. Here without keys. */
function addKeyboardBar(): void {
  const bar = create('div', 'keyboard fn__none', { id: 'keyboardToolbar' });
  document.body.append(bar);
  const show = (): void => {
    const writes = document.activeElement?.closest('.protyle-wysiwyg, textarea, input:not([type="checkbox"], [type="radio"])');
    bar.classList.toggle('fn__none', !writes);
    bar.style.zIndex = String(++siyuan.zIndex);
  };
  document.addEventListener('focusin', show);
  document.addEventListener('focusout', () => setTimeout(show));
}

function mountTree(openDocument: (id: string) => void): void {
  mount(text('fileTree'), (element) =>
    createTree(element, (id) => {
      closeSheet();
      openDocument(id);
    }),
  );
}

function mount(title: string, make: (element: HTMLElement) => CustomModel, type = 'file'): void {
  closeSheet();
  const content = create('div', 'fn__flex-1 sheet__content');
  const close = create('button', 'block__icon', { type: 'button', 'aria-label': text('close') }, icon('iconClose'));
  close.addEventListener('click', closeSheet);
  const header = create('div', 'block__icons', {}, create('div', 'block__logo', {}, title), create('span', 'fn__flex-1'), close);
  const sheet = create('div', 'sheet fn__flex-column', { id: 'sidebar', role: 'dialog', 'aria-label': title }, header, content);
  document.body.append(sheet);
  shown = { model: undefined, element: sheet };
  callSafely(`mobile dock ${type}`, () => {
    if (!shown) return;
    shown.model = make(content);
    if (siyuan.mobile) siyuan.mobile.docks[type] = shown.model;
  });
}

/** Takes the dock that lies over the document away. */
export function closeSheet(): void {
  const model = shown?.model;
  if (model?.destroy) callSafely(`mobile dock ${model.type} destroy`, () => model.destroy?.call(model));
  shown?.element.remove();
  shown = undefined;
}
