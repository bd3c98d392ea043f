import { create } from '../core/dom.ts';
import { app, query, siyuan } from '../core/state.ts';
import { callSafely } from '../layout/custom.ts';
import { selectionRange } from './caret.ts';
import type { ProtyleState } from './types.ts';

/** An entry of the toolbar as plugins give it (`IMenuItem` of the plugin API); the shell has none of its own. */
interface ToolbarItem {
  name: string;
  icon?: string;
  tip?: string;
  tipPosition?: string;
  click?: (protyle: unknown) => void;
}

const isItem = (value: unknown): value is ToolbarItem =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' && value.name !== '|';

/** What every plugin adds by `updateProtyleToolbar`, in the order of the plugins. */
function pluginItems(): ToolbarItem[] {
  let items: unknown[] = [];
  for (const plugin of app.plugins) {
    callSafely(`toolbar of ${plugin.name}`, () => {
      items = plugin.updateProtyleToolbar(items);
    });
  }
  return items.filter(isItem);
}

/** The bar over selected text: shown once a selection with text stands still, gone when it is. None on phones, as in SiYuan. */
export function bindToolbar(protyle: ProtyleState): void {
  const root = protyle.wysiwyg.element;
  const { element } = protyle.toolbar;
  const hide = (): void => element.classList.add('fn__none');
  const update = (): void => {
    const range = selectionRange(root);
    const chosen = range?.toString().replaceAll('\u200b', '').trim() ?? '';
    const items = query.mobile || protyle.disabled || chosen === '' ? [] : pluginItems();
    hide();
    if (!range || items.length === 0) return;
    protyle.toolbar.range = range;
    element.replaceChildren(...items.map((item) => button(protyle, item)));
    element.classList.remove('fn__none');
    element.style.zIndex = String(++siyuan.zIndex);
    const at = range.getBoundingClientRect();
    const size = element.getBoundingClientRect();
    element.style.top = `${Math.max(protyle.element.getBoundingClientRect().top + 30, at.top - size.height - 4)}px`;
    element.style.left = `${Math.max(4, Math.min(at.left - size.width / 4, innerWidth - size.width - 8))}px`;
  };
  root.addEventListener('mouseup', () => setTimeout(update));
  root.addEventListener('keyup', (event) => {
    if (event.shiftKey || event.key === 'Shift') update();
    else if (selectionRange(root)?.collapsed !== false) hide();
  });
  root.addEventListener('input', hide);
  protyle.contentElement.addEventListener('scroll', hide);
  root.addEventListener('blur', hide);
}

function button(protyle: ProtyleState, item: ToolbarItem): HTMLElement {
  const made = create('button', `protyle-toolbar__item b3-tooltips b3-tooltips__${item.tipPosition ?? 'n'}`, {
    type: 'button',
    'data-type': item.name,
    'aria-label': item.tip ?? item.name,
  });
  made.innerHTML = `<svg><use xlink:href="#${item.icon ?? ''}"></use></svg>`;
  made.addEventListener('mousedown', (event) => event.preventDefault()); // the selection stays
  made.addEventListener('click', () => {
    callSafely(`toolbar ${item.name}`, () => item.click?.(protyle.getInstance()));
  });
  return made;
}
