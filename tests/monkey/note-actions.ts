// What a random user does in a note: words selected, slash commands, the menus of blocks and of the note.
import type { Page } from 'playwright-core';
import type { Action, Stage } from './stage.ts';

const SLASH = ['askai', 'summarize', 'continue', 'rewrite', 'translate', 'todos', 'explain', 'marginalia'];

/** An entry of ours in the menu that is open, the host's menus closed after it. */
async function menuEntry({ page, random }: Stage): Promise<string> {
  const plugin = page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first();
  if (await plugin.count()) {
    await plugin.hover();
    await page.locator('.b3-menu__submenu .b3-menu__item:visible', { hasText: 'Marginalia' }).first().hover();
  }
  const entries = page.locator(
    (await plugin.count()) ? '.b3-menu__submenu .b3-menu__submenu .b3-menu__item:visible' : '.b3-menu .b3-menu__item:visible',
  );
  const labels = (await entries.allInnerTexts()).map((text) => text.trim());
  const at = random.below(Math.max(1, labels.length));
  if (labels.length > 0) await entries.nth(at).click();
  await page.keyboard.press('Escape');
  return labels[at] ?? 'nothing';
}

/** Marks a block of the open note, by its place among those seen; false where none is open. */
function markBlock(page: Page, dice: number, words: boolean): Promise<boolean> {
  return page.evaluate(
    ({ dice, words }) => {
      const root = [...document.querySelectorAll('.protyle-wysiwyg')].find((each) => each.checkVisibility());
      const blocks = [...(root?.querySelectorAll<HTMLElement>('[data-node-id] > [contenteditable="true"]') ?? [])].filter(
        (each) => (each.textContent ?? '').trim().length > 3,
      );
      const block = blocks[Math.floor(dice * blocks.length)];
      const text = block && document.createTreeWalker(block, NodeFilter.SHOW_TEXT).nextNode();
      if (!block || !text) return false;
      block.scrollIntoView({ block: 'center' });
      block.focus();
      const length = text.textContent?.length ?? 0;
      const range = document.createRange();
      range.setStart(text, words ? 0 : length);
      range.setEnd(text, words ? Math.max(1, Math.floor(length * dice)) : length);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      (text.parentElement ?? block).dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
      return true;
    },
    { dice, words },
  );
}

export const selectWords: Action = async (stage) => {
  const { page, random } = stage;
  if (!(await markBlock(page, random.next(), true))) return null;
  const button = page.locator('.protyle-toolbar:visible [data-type="marginalia"]');
  if (!(await button.count())) return { words: 'select words' };
  await button.click();
  await page.locator('.b3-menu__item:visible').first().waitFor();
  return { words: `select words and choose ${await menuEntry(stage)}` };
};

export const typeInNote: Action = async ({ page, random }) => {
  if (!(await markBlock(page, random.next(), false))) return null;
  await page.keyboard.type(random.pick([' and more', ' 中文', '!', ' x']) ?? 'x');
  return { words: 'type in the note', typedInNote: true };
};

export const slash: Action = async ({ page, random }) => {
  if (!(await markBlock(page, random.next(), false))) return null;
  const name = random.pick(SLASH) ?? 'ask';
  await page.keyboard.type(` /${name}`);
  const entry = page.locator('.protyle-hint .b3-list-item:visible', { has: page.locator('use') });
  const ours = entry.filter({ has: page.locator('[*|href="#iconMarginalia"]') });
  const count = await ours.count();
  if (count === 0) {
    await page.keyboard.press('Escape');
    return { words: `slash /${name}, without an entry`, typedInNote: true };
  }
  await ours.nth(random.below(count)).click();
  return { words: `slash /${name}`, typedInNote: true };
};

export const blockMenu: Action = async (stage) => {
  const { page, random } = stage;
  const blocks = page.locator('.protyle-wysiwyg:visible [data-type="NodeParagraph"]:visible');
  const count = Math.min(await blocks.count(), 6);
  if (count === 0) return null;
  const block = blocks.nth(random.below(count));
  if (random.next() < 0.5) {
    await block.click({ button: 'right', timeout: 5000 }).catch(() => undefined);
  } else {
    await block.hover({ timeout: 5000 }).catch(() => undefined);
    const gutter = page.locator('.protyle-gutters button:visible').last();
    if (!(await gutter.count())) return null;
    await gutter.click({ timeout: 5000 }).catch(() => undefined);
  }
  if (!(await page.locator('.b3-menu__item:visible').count())) return null;
  return { words: `menu of a block: ${await menuEntry(stage)}` };
};

export const titleMenu: Action = async (stage) => {
  const icon = stage.page.locator('.protyle-breadcrumb [data-type="doc"]:visible').first();
  if (!(await icon.count())) return null;
  await icon.click({ timeout: 5000 }).catch(() => undefined);
  if (!(await stage.page.locator('.b3-menu__item:visible').count())) return null;
  return { words: `menu of the note: ${await menuEntry(stage)}` };
};
