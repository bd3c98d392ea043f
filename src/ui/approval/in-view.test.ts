import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PageOptions } from '../testing/browser-page.ts';
import { button, calls, card, reject, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const decided = async (page: Page) => (await calls(page, 'decide')).map(([, id]) => id);
const items = (page: Page) => card(page).getByRole('listitem');
/** Of what is open. */
const approve = (page: Page) => card(page).locator('[data-decision="approve"]');
/** A press as the page gets it, wherever the button is and whatever it is said to be. */
const press = (page: Page) => approve(page).dispatchEvent('click');
/** Opens one of several, without going there. */
const open = (page: Page, index: number) =>
  items(page).nth(index).getByRole('button', { name: 'Changes', exact: true }).dispatchEvent('click');
const scrollTo = (page: Page, block: 'start' | 'center' | 'end') =>
  card(page)
    .locator('[data-diff]')
    .evaluate((element, where) => element.scrollIntoView({ block: where, behavior: 'instant' }), block);

/** Two changes: the first fills the card, the second is one line. */
async function two(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { approval, controller } = window.page;
    const operations = Array.from({ length: 9 }, (_, index) => ({
      ...approval.plan!.operations[0]!,
      id: `op-${index}`,
      before: null,
      after: `Paragraph ${index}`,
      action: 'insert' as const,
      drawn: undefined,
      requires: [],
    }));
    const plan = { ...approval.plan!, operations };
    controller.set({
      running: true,
      approvals: [
        { ...approval, approvalId: 'first', plan },
        { ...approval, approvalId: 'second', callId: 'c2', plan: { ...plan, operations: operations.slice(0, 3) } },
      ] as never,
    });
  });
  await expect.poll(() => items(page).count()).toBe(2);
}

/** Of the second change only its bar is in view, as it sticks to the lower edge. */
async function showBarOnly(page: Page): Promise<void> {
  await card(page).evaluate((box) => {
    box.scrollTo({ top: 0, behavior: 'instant' });
    box.querySelector<HTMLElement>('.mg-approval__head')!.style.height = '2000px';
  });
  await open(page, 1);
}

const showSecond = async (page: Page): Promise<void> => {
  await open(page, 1);
  await scrollTo(page, 'center');
};

const SIZES: readonly (readonly [string, PageOptions])[] = [
  ['a dock', {}],
  ['a dock of 300 px', { width: 300, height: 640 }],
  ['double size', { width: 380, height: 375 }],
  ['a phone', { width: 390, height: 640, context: { hasTouch: true } }],
  ['a phone that lies', { width: 667, height: 375, context: { hasTouch: true } }],
];

describe('a change whose bar alone is in view', () => {
  it.each(SIZES)('is approved by nothing, and each press shows it instead: %s', (_name, options) =>
    on(
      'approval',
      async (page) => {
        await two(page);
        await showBarOnly(page);
        await expect.poll(() => approve(page).isDisabled()).toBe(true);
        await expect.poll(() => approve(page).evaluate((element) => (element as HTMLButtonElement).disabled)).toBe(false);
        await press(page);
        expect(await decided(page)).toEqual([]);
        // However low the page is, a few presses lead through it, and then it can be approved.
        await expect
          .poll(async () => {
            if ((await decided(page)).length === 0) await press(page);
            return decided(page);
          })
          .toEqual(['second']);
      },
      options,
    ),
  );

  it('says why, and leads there: for a mouse, the keyboard and a screen reader', () =>
    on('approval', async (page) => {
      await two(page);
      await showBarOnly(page);
      await expect
        .poll(() =>
          approve(page).evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent?.trim()),
        )
        .toMatch(/^Not looked at yet\s+Show the changes$/);
      await approve(page).focus();
      await expect.poll(() => approve(page).evaluate((element) => element === document.activeElement)).toBe(true);
      await button(page, 'Show the changes').click();
      await expect.poll(() => approve(page).isDisabled()).toBe(false);
      await expect.poll(() => approve(page).getAttribute('aria-describedby')).toBe(null);
    }));

  it('is not approved by the keys', () =>
    on('approval', async (page) => {
      await two(page);
      await showBarOnly(page);
      await card(page).press('Alt+Enter');
      expect(await decided(page)).toEqual([]);
    }));

  it('is not approved by “Allow for this chat”', () =>
    on('approval', async (page) => {
      await two(page);
      await showBarOnly(page);
      await button(page, 'Allow for this chat').dispatchEvent('click');
      expect(await decided(page)).toEqual([]);
    }));

  it('is approved by a key once it is in view, which the focus brings about', () =>
    on('approval', async (page) => {
      await two(page);
      await items(page).nth(1).getByRole('button', { name: 'Changes', exact: true }).focus();
      await page.keyboard.press('Alt+Enter');
      expect(await decided(page)).toEqual([]);
      await expect
        .poll(async () => {
          if ((await decided(page)).length === 0) await page.keyboard.press('Alt+Enter');
          return decided(page);
        })
        .toEqual(['second']);
    }));

  it('may be rejected unseen', () =>
    on('approval', async (page) => {
      await two(page);
      await showBarOnly(page);
      await reject(page);
      expect(await decided(page)).toEqual(['second']);
    }));

  it('can be approved once it was in view, also where it is out of view again', () =>
    on('approval', async (page) => {
      await two(page);
      await showSecond(page);
      await expect.poll(() => approve(page).isDisabled()).toBe(false);
      await open(page, 0);
      await open(page, 1);
      await expect.poll(() => approve(page).isDisabled()).toBe(false);
    }));
});

describe('a change that takes the place of another', () => {
  const set = (page: Page, ids: readonly string[]) =>
    page.evaluate((names) => {
      const { approval, controller } = window.page;
      const plan = { ...approval.plan!, operations: approval.plan!.operations.slice(0, 1) };
      controller.set({
        running: true,
        approvals: names.map((approvalId) => ({ ...approval, approvalId, callId: approvalId, plan })) as never,
      });
    }, ids);
  /** Presses what is there, at each drawing, for 300 ms. */
  const pressSoon = (page: Page, name: string) =>
    page.evaluate(async (text) => {
      // The change is drawn.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const until = performance.now() + 300;
      while (performance.now() < until) {
        const all = [...document.querySelectorAll<HTMLButtonElement>('.mg-approval button')];
        all.find((each) => each.textContent?.trim() === text)?.click();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, name);

  it.each([
    ['Approve', ['first'], ['other']],
    ['Allow for this chat', ['first'], ['other']],
    ['Approve all', ['first'], ['other', 'third']],
    ['Approve', ['first', 'other'], ['other']],
    ['Approve', ['first'], ['other', 'first']],
  ])('is not approved by a press that was meant for that: %s, %o and then %o', (name, before, others) =>
    on(
      'approval',
      async (page) => {
        await set(page, before);
        await expect.poll(() => approve(page).isDisabled()).toBe(false);
        await Promise.all([set(page, others), pressSoon(page, name)]);
        expect(await decided(page)).toEqual([]);
        await button(page, name).click();
        // Of several the one stays open that was.
        const [one = ''] = before.filter((id) => others.includes(id)).concat(others);
        if (name === 'Approve all') await button(page, 'Approve unseen').click();
        await expect.poll(() => decided(page)).toEqual(name === 'Approve all' ? others : [one]);
      },
      { width: 600, height: 1400 },
    ),
  );
});

describe('a change that is planned again', () => {
  it('has to be in view again', () =>
    on('approval', async (page) => {
      await two(page);
      await showSecond(page);
      await expect.poll(() => approve(page).isDisabled()).toBe(false);
      await showBarOnly(page);
      await page.evaluate(() => {
        const { controller } = window.page;
        const [first, second] = controller.view().approvals;
        const plan = { ...second!.plan!, operations: second!.plan!.operations.map((each) => ({ ...each, after: 'Something else' })) };
        controller.set({ approvals: [first!, { ...second!, plan }] });
      });
      await expect.poll(() => approve(page).isDisabled()).toBe(true);
      await press(page);
      expect(await decided(page)).toEqual([]);
      await scrollTo(page, 'center');
      await expect.poll(() => approve(page).isDisabled()).toBe(false);
    }));

  it('keeps what was chosen and seen where it is only read once more', () =>
    on('approval', async (page) => {
      await two(page);
      await showSecond(page);
      await items(page).nth(1).getByRole('checkbox').nth(2).uncheck();
      await page.evaluate(() => {
        const { controller } = window.page;
        controller.set({ approvals: structuredClone(controller.view().approvals) });
      });
      await expect.poll(() => button(page, 'Approve 2 of 3').isDisabled()).toBe(false);
    }));
});

describe('what lies over a change', () => {
  it('keeps it from being in view', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const cover = document.createElement('div');
        cover.id = 'cover';
        cover.style.cssText = 'position:fixed;inset:0;z-index:99;background:white';
        document.body.append(cover);
        window.page.controller.set({ running: true, approvals: [window.page.approval] });
      });
      await expect.poll(() => button(page, 'Approve').isDisabled()).toBe(true);
      await page.evaluate(() => document.getElementById('cover')!.remove());
      await expect.poll(() => button(page, 'Approve').isDisabled()).toBe(false);
    }));
});

describe('a change that is folded, or pinned above the composer', () => {
  it('is shown before it can be approved', () =>
    on('batch', async (page) => {
      await items(page).nth(2).getByRole('button', { name: 'Changes', exact: true }).press('Alt+Enter');
      expect(await decided(page)).toEqual([]);
      await items(page).nth(2).locator('[data-diff]').waitFor();
      await expect.poll(() => approve(page).isDisabled()).toBe(false);
      await approve(page).click();
      expect(await decided(page)).toEqual(['move']);
    }));

  it('also where it came while the reader was elsewhere', () =>
    on('long', async (page) => {
      await page.locator('.mg-list').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
      await page.evaluate(() => window.page.controller.set({ running: true, approvals: [window.page.approval] }));
      await card(page).getByText('Not looked at yet').waitFor();
      await card(page).locator('[data-decision="approve"]').dispatchEvent('click');
      expect(await decided(page)).toEqual([]);
      await card(page).locator('[data-diff]').waitFor();
      await expect.poll(() => button(page, 'Approve').isDisabled()).toBe(false);
    }));
});

it('a change that is pinned a moment after it was drawn was not in view', () =>
  on('long', async (page) => {
    await page.evaluate(() => {
      const Native = window.IntersectionObserver;
      window.IntersectionObserver = class extends Native {
        constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          super((entries, observer) => {
            const isLate = entries.some(({ target }) => target.matches('.mg-approval__start'));
            setTimeout(() => callback(entries, observer), isLate ? 500 : 0);
          }, options);
        }
      };
    });
    await page.locator('.mg-list').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
    await page.evaluate(() => window.page.controller.set({ running: true, approvals: [window.page.approval] }));
    await page.locator('.mg-approval--away').waitFor();
    await card(page).getByText('Not looked at yet').waitFor();
  }));

describe('“Approve all”', () => {
  it('asks once more where something was not looked at, and counts for no change that came after', () =>
    on('batch', async (page) => {
      await card(page).getByText('3 not looked at').first().waitFor();
      await button(page, 'Approve all').click();
      await card(page).getByRole('alert').filter({ hasText: '3 not looked at. Approve everything all the same?' }).waitFor();
      expect(await decided(page)).toEqual([]);
      await page.evaluate(() => {
        const { controller, approval } = window.page;
        controller.set({ approvals: [...controller.view().approvals, approval] });
      });
      await card(page).getByRole('alert').waitFor({ state: 'detached' });
      await button(page, 'Approve all').click();
      await button(page, 'Approve unseen').click();
      await expect.poll(async () => (await decided(page)).length).toBe(5);
    }));

  it('approves at once where all were looked at', () =>
    on('batch', async (page) => {
      const rest = card(page).locator('.mg-approval__head button');
      await expect
        .poll(async () => {
          if ((await rest.count()) > 0) await rest.click();
          await card(page)
            .locator('.mg-ask__end')
            .evaluate((mark) => mark.scrollIntoView({ block: 'center', behavior: 'instant' }));
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
          return rest.count();
        })
        .toBe(0);
      await button(page, 'Approve all').click();
      await expect.poll(async () => (await decided(page)).length).toBe(4);
    }));
});
