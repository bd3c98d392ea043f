// What is in a page for a moment only: a test that begins to wait for it after the click may come too late.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Watches from now on; the answer waits until something of this kind, with these words in it, has appeared, whether or not it is
 * still there.
 */
export async function watchAppearance(page: Page, selector: string, words = ''): Promise<() => Promise<void>> {
  const watched = await page.evaluateHandle(
    ([wanted, said]) => {
      const found = { appeared: false };
      const look = (): void => {
        found.appeared ||= [...document.querySelectorAll(wanted)].some(({ textContent }) => textContent?.includes(said));
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      return found;
    },
    [selector, words] as const,
  );
  return () => expect.poll(() => watched.evaluate(({ appeared }) => appeared)).toBe(true) as Promise<void>;
}
