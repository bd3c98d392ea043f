import { describe, expect, it } from 'vitest';
import { button, calls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const NARROW = { width: 280 } as const;

describe('the card of a sub-agent', () => {
  it('says how far each is, those that wait too, and stops one alone', () =>
    on(
      'agents',
      async (page) => {
        const said = page.locator('.mg-call__said');
        await said.first().waitFor();
        await expect
          .poll(() => said.allTextContents())
          .toEqual([
            'Read 2 notes · searched once · searching…',
            'Searched once · writing its answer…',
            'Thinking…',
            'Waiting for another sub-agent to finish',
          ]);
        for (const card of await page.locator('[data-agent]').all())
          await expect.poll(async () => (await card.boundingBox())!.width).toBeLessThanOrEqual(260);
        await button(page, 'Stop this sub-agent').nth(1).click();
        expect(await calls(page, 'messages.stopCall')).toEqual([['messages.stopCall', 'sp-What other towns did about heat']]);
      },
      NARROW,
    ));

  it('opens into what it was asked, did and said, and back', () =>
    on('agentsDone', async (page) => {
      await page.locator('.mg-work__line').click();
      await expect
        .poll(() => page.locator('[data-agent]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-agent'))))
        .toEqual(['done', 'stopped', 'failed']);
      await page.getByRole('button', { name: /Cost of street trees/ }).click();
      const thread = page.locator('.mg-thread');
      await thread.getByText('Two notes name a cost').waitFor();
      await expect.poll(() => thread.locator('.mg-thread__task').textContent()).toContain('with the year and a citation');
      await thread.locator('.mg-work__line').click();
      await thread.getByRole('button', { name: /Search notes/ }).click();
      await thread.getByText('planted for 380 €').waitFor();
      await expect.poll(() => thread.locator('.mg-cite').count()).toBe(1);
      await page.keyboard.press('Escape');
      await thread.waitFor({ state: 'detached' });
    }));
});
