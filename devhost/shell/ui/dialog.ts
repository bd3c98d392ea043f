import { create, icon, must, shortId } from '../core/dom.ts';
import { query, siyuan } from '../core/state.ts';
import { text } from '../core/texts.ts';
import { commonMenu } from './menu.ts';

export interface DialogOptions {
  title?: string;
  content: string;
  width?: string;
  height?: string;
  transparent?: boolean;
  disableClose?: boolean;
  hideCloseIcon?: boolean;
  disableAnimation?: boolean;
  containerClassName?: string;
  positionId?: string;
  destroyCallback?: (options?: unknown) => void;
  resizeCallback?: (type: string) => void;
}

/** The plugin API's Dialog. Title and content are inserted as HTML, as in SiYuan. */
export class Dialog {
  element: HTMLElement;
  editors: Record<string, unknown> = {};
  data: unknown;
  readonly id = shortId();
  private readonly options: DialogOptions;

  constructor(options: DialogOptions) {
    this.options = options;
    siyuan.dialogs.push(this);
    const header = create('div', `resize__move b3-dialog__header${options.title ? '' : ' fn__none'}`);
    header.innerHTML = options.title ?? '';
    const body = create('div', 'b3-dialog__body');
    body.innerHTML = options.content;
    const hideClose = options.disableClose || options.hideCloseIcon;
    const close = icon('iconClose', `b3-dialog__close${hideClose ? ' fn__none' : ''}`);
    // Without a role, as SiYuan leaves it.
    const container = create('div', `b3-dialog__container ${options.containerClassName ?? ''}`.trim(), {}, close, header, body);
    container.style.width = options.width ?? 'auto';
    container.style.height = options.height ?? 'auto';
    const scrim = create('div', 'b3-dialog__scrim');
    if (options.transparent) scrim.style.backgroundColor = 'transparent';
    const dialog = create('div', 'b3-dialog', {}, scrim, container);
    dialog.style.zIndex = String(++siyuan.zIndex);
    this.element = create('div', 'b3-dialog--open', {}, dialog);
    scrim.addEventListener('click', () => this.tryClose());
    close.addEventListener('click', () => this.tryClose());
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing && !commonMenu().isShown) this.tryClose();
    });
    document.body.append(this.element);
    moveByHeader(container, header);
  }

  private tryClose(): void {
    if (!this.options.disableClose) this.destroy();
  }

  resize(): void {
    this.options.resizeCallback?.('l');
  }

  destroy(options?: unknown): void {
    if (!this.element.isConnected) return;
    this.element.remove();
    siyuan.dialogs = siyuan.dialogs.filter((dialog) => dialog !== this);
    this.options.destroyCallback?.(options);
  }

  /** Focuses an input; Enter calls `onEnter`, Escape closes the dialog. */
  bindInput(input: HTMLInputElement | HTMLTextAreaElement, onEnter?: () => void, bindEnter = true): void {
    input.focus();
    input.addEventListener('keydown', (event) => {
      const key = (event as KeyboardEvent).key;
      if ((event as KeyboardEvent).isComposing) return;
      if (key === 'Enter' && !(event as KeyboardEvent).shiftKey && onEnter && bindEnter) {
        event.preventDefault();
        onEnter();
      }
    });
  }
}

function moveByHeader(container: HTMLElement, header: HTMLElement): void {
  header.addEventListener('mousedown', (down) => {
    const rect = container.getBoundingClientRect();
    const move = (event: MouseEvent) => {
      container.style.position = 'fixed';
      container.style.left = `${rect.left + event.clientX - down.clientX}px`;
      container.style.top = `${Math.max(0, rect.top + event.clientY - down.clientY)}px`;
    };
    const up = () => {
      document.removeEventListener('mousemove', move);
      document.removeEventListener('mouseup', up);
    };
    document.addEventListener('mousemove', move);
    document.addEventListener('mouseup', up);
  });
}

/** The plugin API's `confirm`. Without title and text it confirms at once, as in SiYuan. */
export function confirmDialog(
  title: string,
  message: string,
  onConfirm?: (dialog?: Dialog) => void,
  onCancel?: (dialog: Dialog) => void,
): void {
  if (!title && !message) {
    onConfirm?.();
    return;
  }
  const dialog = new Dialog({
    title,
    width: query.mobile ? '92vw' : '520px',
    content: `<div class="b3-dialog__content"><div class="ft__breakword">${message}</div></div>
<div class="b3-dialog__action"><button class="b3-button b3-button--cancel" id="cancelDialogConfirmBtn">${text('cancel')}</button>
<div class="fn__space"></div><button class="b3-button b3-button--text" id="confirmDialogConfirmBtn">${text('confirm')}</button></div>`,
  });
  dialog.element.setAttribute('data-key', 'dialog-confirm');
  const confirmButton = must('#confirmDialogConfirmBtn', dialog.element);
  confirmButton.addEventListener('click', () => {
    onConfirm?.(dialog);
    dialog.destroy();
  });
  must('#cancelDialogConfirmBtn', dialog.element).addEventListener('click', () => {
    onCancel?.(dialog);
    dialog.destroy();
  });
  confirmButton.focus();
}
