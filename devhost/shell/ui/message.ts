import { create, icon, shortId } from '../core/dom.ts';
import { siyuan } from '../core/state.ts';

const timers = new Map<string, number>();

function container(): HTMLElement {
  const existing = document.getElementById('message');
  if (existing) return existing;
  const element = create('div', 'b3-snackbars', { id: 'message' });
  document.body.append(element);
  return element;
}

/**
 * Shows a toast. As in SiYuan `html` is inserted as HTML.
 * @param timeout milliseconds; 0 stays until it is closed by hand, -1 until `hideMessage`
 */
export function showMessage(html: string, timeout = 6000, type = 'info', messageId?: string): string | undefined {
  if (!html) return undefined;
  const id = messageId ?? shortId();
  const root = container();
  root.style.zIndex = String(++siyuan.zIndex);
  let toast = root.querySelector<HTMLElement>(`.b3-snackbar[data-id="${CSS.escape(id)}"]`);
  if (!toast) {
    toast = create('div', 'b3-snackbar', { 'data-id': id, role: type === 'error' ? 'alert' : 'status' });
    root.prepend(toast);
  }
  toast.classList.toggle('b3-snackbar--error', type === 'error');
  const content = create('div', 'b3-snackbar__content');
  content.innerHTML = html;
  toast.replaceChildren(content);
  if (timeout === 0) {
    const close = icon('iconCloseRound', 'b3-snackbar__close');
    close.addEventListener('click', () => hideMessage(id));
    toast.append(close);
  }
  window.clearTimeout(timers.get(id));
  if (timeout > 0)
    timers.set(
      id,
      window.setTimeout(() => hideMessage(id), timeout),
    );
  return id;
}

/** Hides one toast, or all of them without an id. */
export function hideMessage(id?: string): void {
  const root = container();
  const toasts = id ? root.querySelectorAll(`.b3-snackbar[data-id="${CSS.escape(id)}"]`) : root.querySelectorAll('.b3-snackbar');
  for (const toast of toasts) {
    const toastId = toast.getAttribute('data-id') ?? '';
    window.clearTimeout(timers.get(toastId));
    timers.delete(toastId);
    toast.remove();
  }
}
