/** Longer than SiYuan takes to close it, in milliseconds: a list that stays open must not keep a command from running. */
const CLOSING_MS = 1000;

/**
 * Resolves when SiYuan's list of commands is closed, at once if there is none. While it closes, SiYuan gives the focus back to the text
 * behind it: what a command has focused by then loses it, and the person goes on typing into a note.
 */
export function commandListClosed(page: Document = document): Promise<void> {
  const list = page.querySelector('[data-key="dialog-commandpanel"]');
  if (!list) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      watch.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const watch = new MutationObserver(() => {
      if (!list.isConnected) end();
    });
    const timer = setTimeout(end, CLOSING_MS);
    watch.observe(page.body, { childList: true, subtree: true });
  });
}
