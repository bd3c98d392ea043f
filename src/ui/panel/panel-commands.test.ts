import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PanelCommand } from '../ports/command-names.ts';
import { calls, card, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

const command = (page: Page, name: PanelCommand): Promise<void> => page.evaluate((which) => window.page.panel.command(which), name);
const decided = (page: Page) => calls(page, 'decide');
/** What has the focus: the block of a citation, the role of a message, or the name of a group. */
const focus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.getAttribute('data-block-id') ?? at?.getAttribute('data-role') ?? at?.getAttribute('aria-label') ?? at?.nodeName ?? '';
  });
const focusesOn = (page: Page, what: string): Promise<void> => expect.poll(() => focus(page)).toBe(what) as Promise<void>;

describe('commands of the host, in the panel', () => {
  it('approve and reject what is seen', () =>
    on('approval', async (page) => {
      await card(page).waitFor();
      await command(page, 'approve');
      await expect.poll(() => decided(page)).toEqual([['decide', 'a1', expect.objectContaining({ approved: true })]]);
      await page.evaluate(() => window.page.controller.set({ approvals: [{ ...window.page.approval, approvalId: 'a2' }] }));
      // Until the next one is drawn there is none to be decided.
      const reject = async (): Promise<number> => {
        if ((await decided(page)).length === 1) await command(page, 'reject');
        return (await decided(page)).length;
      };
      await expect.poll(reject).toBe(2);
      expect((await decided(page))[1]).toEqual(['decide', 'a2', expect.objectContaining({ approved: false })]);
    }));

  it('only go to what is not seen, under a page or scrolled away; the second time it is decided', () =>
    on('approval', async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await command(page, 'approve');
      await focusesOn(page, 'Approval');
      expect(await decided(page)).toEqual([]);
      await page.evaluate(() => {
        const long = window.page.controller.view().messages[1]!;
        const text = 'word '.repeat(3000);
        window.page.controller.set({ messages: [{ ...long, nodeId: 'long', segments: [{ kind: 'text', text }] }, long] });
      });
      await page.locator('.mg-list').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
      await page.getByRole('button', { name: 'Show the changes' }).waitFor();
      await command(page, 'approve');
      await page.getByRole('button', { name: 'Show the changes' }).waitFor({ state: 'detached' });
      expect(await decided(page)).toEqual([]);
      await command(page, 'approve');
      await expect.poll(() => decided(page)).toHaveLength(1);
    }));

  it('decide about the one of several that is open, or has the focus', () =>
    on('batch', async (page) => {
      const ids = await page.evaluate(() => window.page.controller.view().approvals.map((approval) => approval.approvalId));
      await command(page, 'reject');
      await expect.poll(() => decided(page)).toEqual([['decide', ids[0], expect.objectContaining({ approved: false })]]);
      await card(page).getByRole('button', { name: 'Changes', exact: true }).nth(1).focus();
      // What was not looked at is shown, not approved.
      await command(page, 'approve');
      expect(await decided(page)).toHaveLength(1);
      const approve = async (): Promise<unknown> => {
        if ((await decided(page)).length === 1) await command(page, 'approve');
        return (await decided(page))[1]?.[1];
      };
      await expect.poll(approve).toBe(ids[2]);
    }));

  it('go from message to message and from citation to citation, also to those out of the document', () =>
    on('giant', async (page) => {
      await page.getByText('Question 2500', { exact: true }).waitFor();
      await command(page, 'previousMessage');
      await focusesOn(page, 'assistant');
      await command(page, 'previousMessage');
      await focusesOn(page, 'user');
      const place = () => page.evaluate(() => Number(document.activeElement?.closest('article')?.getAttribute('aria-posinset')));
      const places = [await place()];
      for (let step = 0; step < 14; step += 1) {
        const before = await place();
        await command(page, 'previousCitation');
        await expect.poll(place).not.toBe(before);
        expect(await focus(page)).toBe('20260412093011-abc1234');
        places.push(await place());
      }
      expect(places).toEqual([...places].sort((one, other) => other - one));
      expect(await page.evaluate(() => document.activeElement!.getBoundingClientRect().top)).toBeGreaterThan(0);
      await command(page, 'nextCitation');
      await expect.poll(place).toBe(places.at(-2));
    }));

  it('switch the branch of the message that is read, or its version', () =>
    on('branches', async (page) => {
      await page.locator('article').first().focus();
      await command(page, 'previousBranch');
      await expect.poll(() => calls(page, 'messages.showBranch')).toEqual([['messages.showBranch', 'q1', 1]]);
      await page.locator('article').nth(3).focus();
      await command(page, 'previousBranch');
      await expect.poll(() => calls(page, 'messages.showVersion')).toEqual([['messages.showVersion', 'a1', 1]]);
      await command(page, 'previousBranch');
      await command(page, 'findInChat');
      await page.getByRole('search', { name: 'Find in this chat' }).waitFor();
      expect(await calls(page, 'messages.showVersion')).toHaveLength(1);
    }));

  it('undo and redo the changes of the answer being read, once its button is in view', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const answer = window.page.controller.view().messages.find(({ role }) => role === 'assistant')!;
        const long = { ...answer, nodeId: 'long', segments: [{ kind: 'text' as const, text: 'word '.repeat(3000) }] };
        const { undo: _none, ...other } = long;
        window.page.controller.set({ messages: [{ ...answer, undo: { blocks: 2, kind: 'exact', undone: false } }, other] });
      });
      const asked = async () => (await calls(page)).filter(([name]) => name === 'undo' || name === 'redo').map(([name]) => name);
      const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-change'));
      await page.locator('.mg-list').evaluate((list) => list.scrollTo({ top: list.scrollHeight, behavior: 'instant' }));
      await command(page, 'undoChange');
      await expect.poll(at).toBe('undo');
      expect(await asked()).toEqual([]);
      await command(page, 'undoChange');
      await expect.poll(asked).toEqual(['undo']);
      await command(page, 'redoChange');
      await expect.poll(asked).toEqual(['undo', 'redo']);
      await command(page, 'redoChange');
      expect(await asked()).toEqual(['undo', 'redo']);
    }));
});
