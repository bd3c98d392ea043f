import type { Dialog } from 'siyuan';
import { inBackground } from '../tools/util/notify.ts';
import { clearDevice } from './device-storage.ts';
import { openDialog } from './host-dialog.ts';

/** What the plugin's removal needs of the host. */
export interface RemovalHost {
  readonly Dialog: typeof Dialog;
  /** The plugin's folders have its name. */
  readonly name: string;
  readonly words: (key: string) => string;
}

type Route = '/api/file/readDir' | '/api/file/removeFile';

const ask = (route: Route, path: string): Promise<{ readonly code?: number; readonly data?: unknown }> =>
  fetch(route, { method: 'POST', body: JSON.stringify({ path }) }).then((response) => response.json());

/**
 * What `uninstall()` does after everything running has ended: removes this device's keys and the search data. Chats and settings stay in
 * the workspace unless somebody asks to remove them as well: a removal may be a mistake.
 */
export async function removePlugin(host: RemovalHost): Promise<void> {
  // Unsent and queued text has just been saved on the device.
  clearDevice();
  const folder = `/data/storage/petal/${host.name}`;
  const [kept] = await Promise.all([ask('/api/file/readDir', folder), ask('/api/file/removeFile', `/temp/${host.name}`)]);
  // A removal reaches every window, and by sync every device: in a hidden window nobody is asked.
  if (!Array.isArray(kept.data) || kept.data.length === 0 || !document.hasFocus()) return;
  askForChats(host, () => ask('/api/file/removeFile', folder));
}

/** No button is the default for Enter: that key may have confirmed the removal just now. */
function askForChats(host: RemovalHost, remove: () => Promise<unknown>): void {
  const { words } = host;
  const button = (choice: 'delete' | 'keep', look: string): string => {
    const word = choice === 'delete' ? words('removal.delete') : words('removal.keep');
    return `<button class="b3-button ${look}" data-choice="${choice}">${word}</button>`;
  };
  const dialog = openDialog(host, {
    title: words('removal.title'),
    content:
      `<div class="b3-dialog__content">${words('removal.text')}</div><div class="b3-dialog__action">` +
      `${button('delete', 'b3-button--remove')}<div class="fn__space"></div>${button('keep', 'b3-button--text')}</div>`,
    width: 'min(520px, 92vw)',
  });
  dialog.element.addEventListener('click', ({ target }) => {
    const choice = target instanceof Element ? target.closest('[data-choice]')?.getAttribute('data-choice') : null;
    if (choice === 'delete') inBackground(remove());
    if (choice) dialog.destroy();
  });
}
