import { create } from '../core/dom.ts';

/** Copies text; over plain http there is no clipboard API, so a hidden field is the fallback. */
export async function copyText(value: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(value);
    return;
  }
  const field = create('textarea', 'fn__copyfield');
  field.value = value;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
