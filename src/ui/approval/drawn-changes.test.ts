import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { card, hostCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const operation = (page: Page, id: string) => card(page).locator(`[data-operation="${id}"]`);
const rows = async (page: Page, id: string) =>
  (await operation(page, id).locator('.mg-changed__row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const marked = async (page: Page, id: string) => [
  await operation(page, id).locator('del').allInnerTexts(),
  await operation(page, id).locator('ins').allInnerTexts(),
];

describe('a change drawn from the blocks', () => {
  it('shows where links lead, also where no page may follow', () =>
    on('drawn', async (page) => {
      expect(await marked(page, 'address')).toEqual([['pay → https://bank.example'], ['pay → https://evil.example']]);
      expect(await marked(page, 'new-address')).toEqual([[], ['pay today → file:///etc/x']]);
      expect(await operation(page, 'new-address').locator('[href]').count()).toBe(0);
    }));

  it('shows where each link leads whose own words are not its address, whatever stands in that or beside it', () =>
    on('shown-whole', async (page) => {
      expect(await marked(page, 'query')).toEqual([[], ['wiki → https://evil.example/?data-block-id=1']]);
      expect(await marked(page, 'near')).toEqual([
        [],
        ['https://bank.example pay not https://evil.example → https://bank.ex → https://evil.example'],
      ]);
      expect(await marked(page, 'plain')).toEqual([[], ['https://bank.example']]);
      expect(await marked(page, 'link-words')).toEqual([['site'], ['https://bank.example → https://evil.example']]);
    }));

  it('shows an embed as such, not as a listing of the same words', () =>
    on('shown-whole', async (page) => {
      expect(await rows(page, 'embed')).toEqual(['− {{SELECT 1}}', '+ Shows in the note what this query finds', '+ {{SELECT 1}}']);
    }));

  it('shows the source of a formula whose drawing may hide, cover or move a part of it', () =>
    on('shown-whole', async (page) => {
      await expect.poll(() => operation(page, 'formula').locator('.mg-math').count()).toBe(1);
      expect((await rows(page, 'formula')).slice(1)).toEqual([
        String.raw`+ \phantom{secret}`,
        '+ a % words',
        String.raw`+ \color{white}{b}`,
        String.raw`+ \def\x#1{}\x{c}`,
        String.raw`+ a\\[-2em]b`,
        String.raw`+ \rlap{d}e`,
        String.raw`+ \tiny f`,
      ]);
    }));

  it('shows how blocks stand, and the language of code', () =>
    on('drawn', async (page) => {
      expect(await rows(page, 'layout')).toEqual(['− Side by side', '+ One below the other', 'left', 'right']);
      expect(await rows(page, 'language')).toEqual(['− js', '+ ts', 'a']);
    }));

  it('shows spaces, and characters that nobody sees, as they are', () =>
    on('drawn', async (page) => {
      expect(await marked(page, 'spaces')).toEqual([['··'], ['·']]);
      await expect.poll(() => operation(page, 'hidden').locator('ins').innerText()).toBe('⍽a x⟨U+202E⟩');
    }));

  it('shows what a list item holds in its order, an empty item, an empty row', () =>
    on('drawn', async (page) => {
      expect(await rows(page, 'items')).toEqual(['− 3. a', '− q', '− b', '− 4.']);
      await expect.poll(() => operation(page, 'row').locator('tr').count()).toBe(2);
      await expect.poll(() => operation(page, 'row').locator('[data-change="added"]').count()).toBe(1);
    }));

  it('shows a reference without words as the title of its note', () =>
    on('drawn', async (page) => {
      await operation(page, 'reference').getByRole('link', { name: 'Urban heat' }).waitFor();
      await operation(page, 'reference').getByRole('link', { name: 'words' }).click();
      expect((await hostCalls(page)).at(-1)).toEqual(expect.arrayContaining(['20260412093000-heat000']));
    }));

  it('shows a moved block under its way as it looks, the rest folded', () =>
    on('drawn', async (page) => {
      expect(await rows(page, 'moved')).toEqual(['Apollo → Apollo, at the end of the note', '• costs $5 and $10', '• b']);
      await expect.poll(() => operation(page, 'moved').locator('mark').innerText()).toBe('b');
      await operation(page, 'moved').getByRole('button', { name: '… 2 unchanged' }).click();
      expect((await rows(page, 'moved')).slice(3)).toEqual(['• c', '• d']);
      await card(page).getByRole('button', { name: 'As Markdown' }).click();
      expect(await rows(page, 'moved')).toEqual(['Apollo → Apollo, at the end of the note', 'x']);
    }));
});
