import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { FoundList } from '../../tools/contract/found-notes.ts';
import { hostCalls, usePanelBrowser } from '../testing/panel-browser.ts';

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

/** A finished answer whose one call searched the notes for "roofs" and found this. */
const showFound = (page: Page, found: FoundList): Promise<void> =>
  page.evaluate((list) => {
    const { controller } = window.page;
    const ended = { status: 'success', durationMs: 900, started: 0, preview: '1 note [20260412093011-abc1234]' } as const;
    const call = { callId: 's1', tool: 'search_notes', args: { query: 'white roofs' }, found: list, ...ended };
    controller.setLast({
      segments: [
        { kind: 'call', call },
        { kind: 'text', text: 'Done.' },
      ],
    });
  }, found);

const passages = ['White roofs stay cool.', 'A roof of tin.', 'Green roofing.', 'The fourth roof.', 'The fifth.'].map((text, at) => ({
  ...{ id: `2026041209301${at}-passage`, text },
}));
const HEAT = { id: '20260412093000-heat000', title: 'Urban roofs', path: '/Climate/City/Summer/Urban roofs', notebook: 'Research' };

describe('the card of a search', () => {
  const opened = async (page: Page): Promise<void> => {
    await work(page).click();
    await tool(page).getByRole('button', { name: 'Search notes' }).click();
    await tool(page).locator('.mg-found').waitFor();
  };

  it('lists notes with where they stand and their passages, what was looked for marked; each opens in the editor', () =>
    on('finished', async (page) => {
      await showFound(page, { notes: [{ ...HEAT, passages, shared: ['roof', 'tin'] }], words: ['roof', 'white'], missing: ['zzz'] });
      await opened(page);
      const list = tool(page).locator('.mg-given');
      await expect
        .poll(async () => (await list.innerText()).split(/\n+/))
        .toEqual([
          ...['Not in any note: zzz', 'Urban roofs', '… › City › Summer', 'In both: roof, tin', 'White roofs stay cool.', 'A roof of tin.'],
          ...['Green roofing.', '2 more passages'],
        ]);
      await expect.poll(() => list.locator('mark').allTextContents()).toEqual(['roofs', 'White', 'roofs', 'roof', 'roofing']);
      await expect.poll(() => list.locator('.mg-found__place').first().getAttribute('title')).toBe('Research › Climate › City › Summer');
      await list.getByRole('button', { name: '2 more passages' }).click();
      await list.getByRole('button', { name: 'The fifth.' }).click();
      await list.getByRole('button', { name: 'Urban roofs' }).focus();
      await page.keyboard.press('Enter');
      expect((await hostCalls(page)).filter(([name]) => name === 'openBlock').map(([, id]) => id)).toEqual([passages[4]!.id, HEAT.id]);
    }));

  it('says in words that nothing was found, without being opened, and shows no id', () =>
    on('finished', async (page) => {
      await showFound(page, { notes: [], missing: ['roofs', 'tin'] });
      await work(page).click();
      await tool(page).getByText('Nothing found. Not in any note: roofs, tin').waitFor();
      expect(await tool(page).innerText()).not.toMatch(/\d{14}/);
    }));

  it('shows characters that nobody sees in all that was found, and words that are in no note', () =>
    on('finished', async (page) => {
      const hidden = 'a\u202eb';
      const note = {
        ...HEAT,
        title: hidden,
        path: `/${hidden}/${hidden}`,
        passages: [{ id: passages[0]!.id, text: hidden }],
        shared: [hidden],
      };
      await showFound(page, { notes: [note], missing: [hidden] });
      await opened(page);
      await expect.poll(() => tool(page).locator('.mg-given .mg-unseen').count()).toBe(5);
      await showFound(page, { notes: [], missing: [hidden] });
      await tool(page).locator('.mg-call__said .mg-unseen').waitFor();
    }));
});

describe('the card of a call', () => {
  it('shows what it wrote as the approval did, without switches', () =>
    on('finished', async (page) => {
      await show(page, 'edit_block');
      await work(page).click();
      await tool(page).getByRole('button', { name: 'Edit block' }).click();
      const diff = tool(page).getByRole('group', { name: 'Changes' });
      await diff.getByText('Change paragraph').waitFor();
      await expect
        .poll(async () => [await diff.locator('del').allTextContents(), await diff.locator('ins').allTextContents()])
        .toEqual([['old'], ['new', 'Added']]);
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
        await expect.poll(() => page.locator('.mg-tool__name').getAttribute('title')).toContain('get every little thing');
      },
      { width: 320 },
    ));
});
