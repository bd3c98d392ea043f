import type { Dialog } from 'siyuan';
import { escapeHtml } from './escape-html.ts';

// The start script has this too, so it stays small.

interface DialogOptions {
  /** As it is read, not HTML. */
  readonly title: string;
  /** HTML. */
  readonly content: string;
  readonly width: string;
  readonly height?: string;
  /** Names the host's cross, for dialogs without a button of their own that closes them. */
  readonly close?: string;
  readonly destroyCallback?: () => void;
}

/**
 * Opens a dialog of the host. The host's own is one to the eye alone: here it gets the role, the name and the focus by which a screen reader
 * knows that it opened, and that the page behind it is out of reach.
 */
export function openDialog(host: { readonly Dialog: typeof Dialog }, { title, close, ...options }: DialogOptions): Dialog {
  const dialog = new host.Dialog({ ...options, title: escapeHtml(title) });
  const name = (part: string, role: string, label: string): HTMLElement | null => {
    const element = dialog.element.querySelector<HTMLElement>(part);
    element?.setAttribute('role', role);
    element?.setAttribute('aria-label', label);
    return element;
  };
  if (close !== undefined) name('.b3-dialog__close', 'button', close);
  const container = name('.b3-dialog__container', 'dialog', title);
  container?.setAttribute('aria-modal', 'true');
  container?.setAttribute('tabindex', '-1');
  // Its small frontend knows no such key, though a phone may have a keyboard.
  container?.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.stopPropagation();
    dialog.destroy();
  });
  container?.focus({ preventScroll: true });
  return dialog;
}
