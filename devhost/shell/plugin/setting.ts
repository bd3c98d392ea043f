import { create, must } from '../core/dom.ts';
import { query } from '../core/state.ts';
import { text } from '../core/texts.ts';
import { Dialog } from '../ui/dialog.ts';

interface SettingItem {
  title: string;
  direction?: 'column' | 'row';
  description?: string;
  actionElement?: HTMLElement;
  createActionElement?: () => HTMLElement;
}

/** The plugin API's Setting: a dialog with one row an item. Titles and descriptions are HTML, as in SiYuan. */
export class Setting {
  dialog: Dialog | undefined;
  private readonly items: SettingItem[] = [];
  private readonly options: { width?: string; height?: string; destroyCallback?: () => void; confirmCallback?: () => void };

  constructor(options: { width?: string; height?: string; destroyCallback?: () => void; confirmCallback?: () => void } = {}) {
    this.options = options;
  }

  addItem(item: SettingItem): void {
    this.items.push(item);
  }

  open(name: string): void {
    const hidden = this.options.confirmCallback ? '' : ' fn__none';
    const dialog = new Dialog({
      title: name,
      width: this.options.width ?? (query.mobile ? '92vw' : '768px'),
      height: this.options.height ?? '80vh',
      content: `<div class="b3-dialog__content"></div><div class="b3-dialog__action${hidden}">
<button class="b3-button b3-button--cancel">${text('cancel')}</button><div class="fn__space"></div><button class="b3-button b3-button--text">${text('save')}</button></div>`,
      destroyCallback: () => this.options.destroyCallback?.(),
    });
    this.dialog = dialog;
    const content = must('.b3-dialog__content', dialog.element);
    const save = () => {
      this.options.confirmCallback?.();
      dialog.destroy();
    };
    for (const item of this.items) content.append(settingRow(item));
    content.querySelector<HTMLElement>('input, textarea')?.focus();
    must('.b3-dialog__action .b3-button--cancel', dialog.element).addEventListener('click', () => dialog.destroy());
    must('.b3-dialog__action .b3-button--text', dialog.element).addEventListener('click', save);
  }
}

function settingRow(item: SettingItem): HTMLElement {
  const action = item.actionElement ?? item.createActionElement?.();
  const direction = item.direction ?? (!action || action.tagName === 'TEXTAREA' ? 'row' : 'column');
  const words = create('div', direction === 'row' ? 'fn__block' : 'fn__flex-1');
  words.innerHTML = `<div class="config-name">${item.title}</div>${item.description ? `<div class="b3-label__text">${item.description}</div>` : ''}`;
  const row = create(
    action?.classList.contains('b3-switch') ? 'label' : 'div',
    `b3-label config-item${direction === 'row' ? '' : ' fn__flex'}`,
    {},
    words,
  );
  if (!action) return row;
  if (direction === 'row') {
    words.append(create('div', 'fn__hr'), action);
    action.classList.add('fn__block');
  } else {
    action.classList.remove('fn__block');
    action.classList.add('fn__flex-center', 'fn__size200');
    row.append(create('span', 'fn__space'), action);
  }
  return row;
}
