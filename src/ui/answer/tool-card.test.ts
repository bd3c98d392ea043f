import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

/** A finished answer whose one call has this name and wrote this. */
const show = (page: Page, tool: string): Promise<void> =>
  page.evaluate((name) => {
    const { controller } = window.page;
    const message = controller.view().messages.at(-1)!;
    const args = { id: '20260412093011-abc1234', markdown: 'new' };
    const call = { callId: 'w1', tool: name, args, status: 'success', durationMs: 900, started: 0 } as const;
    controller.messages.written = {
      w1: [
        { id: '0-0', action: 'update', blockId: 'b', blockType: 'p', before: 'The old line', after: 'The new line', requires: [] },
        { id: '0-1', action: 'insert', blockId: 'c', blockType: 'h', before: null, after: '## Added', requires: [] },
      ],
    };
    controller.setLast({ segments: [{ kind: 'call', call }, ...message.segments.filter(({ kind }) => kind === 'text')] });
  }, tool);
const work = (page: Page) => page.locator('.mg-work__line');
const tool = (page: Page) => page.locator('[data-tool]');

describe('the card of a call', () => {
  it('shows what it wrote as the approval did, without switches', () =>
    on('finished', async (page) => {
      await show(page, 'edit_block');
      await work(page).click();
      await tool(page).getByRole('button', { name: 'Edit block' }).click();
      const diff = tool(page).getByRole('group', { name: 'Changes' });
      await diff.getByText('Change paragraph').waitFor();
      expect([await diff.locator('del').allTextContents(), await diff.locator('ins').allTextContents()]).toEqual([
        ['old'],
        ['new', 'Added'],
      ]);
      expect(await diff.getByRole('checkbox').count()).toBe(0);
      await diff.getByRole('button', { name: 'As Markdown' }).click();
      await diff.getByText('## Added').waitFor();
    }));

  it('shows no change of a call that only read', () =>
    on('finished', async (page) => {
      await show(page, 'read_block');
      await work(page).click();
      await tool(page).getByRole('button', { name: 'Read block' }).click();
      await tool(page).getByText('Details', { exact: true }).click();
      await tool(page).getByText('markdown', { exact: true }).waitFor();
      expect(await tool(page).locator('[data-diff]').count()).toBe(0);
    }));

  it('cuts a name that is too long, and keeps its state in sight', () =>
    on(
      'finished',
      async (page) => {
        await show(page, 'server__get_every_little_thing_that_there_is_in_the_whole_wide_world');
        await work(page).click();
        const [card, state] = [await tool(page).boundingBox(), await page.locator('.mg-tool__state').boundingBox()];
        expect(card!.x + card!.width).toBeLessThanOrEqual(320);
        expect(state!.x + state!.width).toBeLessThan(card!.x + card!.width);
        expect(await page.locator('.mg-tool__name').getAttribute('title')).toContain('get every little thing');
      },
      { width: 320 },
    ));
});
