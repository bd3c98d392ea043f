import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../tools/contract/errors.ts';
import { button, calls, hostCalls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('messages', () => {
  const place = (page: Page) =>
    page.locator('.mg-list').evaluate((list) => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight));
  /** Streams a paragraph and waits until it is drawn. */
  const stream = async (page: Page, word: string): Promise<void> => {
    await page.evaluate((text) => window.page.controller.stream(text), `\n\n${`${word} `.repeat(80)}end-${word}`);
    await page.getByText(`end-${word}`).waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  };

  it('stay at the end for a reader who is at the end', () =>
    on('streaming', async (page) => {
      for (const word of ['alpha', 'beta', 'gamma']) await stream(page, word);
      expect(await place(page)).toBeLessThanOrEqual(1);
    }));

  it('stay in place for a reader who scrolled up, until asked to go to the end', () =>
    on('streaming', async (page) => {
      for (const word of ['alpha', 'beta', 'gamma']) await stream(page, word);
      await page.locator('.mg-list').hover();
      await page.mouse.wheel(0, -400);
      await button(page, 'Jump to the end').waitFor();
      const top = await page.locator('.mg-list').evaluate((list) => list.scrollTop);
      await stream(page, 'delta');
      await expect.poll(() => page.locator('.mg-list').evaluate((list) => list.scrollTop)).toBe(top);
      await button(page, 'Jump to the end').click();
      await stream(page, 'epsilon');
      expect(await place(page)).toBeLessThanOrEqual(1);
    }));

  it('keep the elements of finished blocks while the answer streams and when it ends', () =>
    on('streaming', async (page) => {
      await stream(page, 'alpha');
      await stream(page, 'beta');
      const paragraph = await page.getByText('end-alpha').elementHandle();
      await stream(page, 'gamma');
      await page.evaluate(() => {
        window.page.controller.setLast({ status: 'done' });
        window.page.controller.set({ running: false });
      });
      await button(page, 'Regenerate').waitFor();
      await expect.poll(() => paragraph!.evaluate((element) => element.isConnected)).toBe(true);
      await expect.poll(() => page.getByText('unverified').count()).toBe(1);
    }));

  it('fold the work to one line that opens to the cards', () =>
    on('finished', async (page) => {
      await expect.poll(() => page.locator('[data-tool]').first().isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Read 1 note · searched once · 1 failed · 0.5 s' }).click();
      await expect.poll(() => page.locator('[data-tool]').first().isVisible()).toBe(true);
      await page.getByText('No block has this id.').waitFor();
      await page.locator('[data-tool=read_doc]').first().getByRole('button').first().click();
      await page.getByText('The whole note, as long as it is.').waitFor();
      expect(await page.getByText('read_doc_c2_result').count()).toBe(0);
      await page.getByText('Details', { exact: true }).click();
      await page.getByText('read_doc_c2_result').waitFor();
    }));

  it('tell apart runs of work that fold to the same words', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const call = (callId: string) =>
          ({ callId, tool: 'read_doc', args: { id: callId }, status: 'success', durationMs: 0, started: 0 }) as const;
        const segments = ['a', 'b', 'c'].flatMap((id) => [
          { kind: 'call', call: call(id) } as const,
          { kind: 'text', text: `After ${id}.` } as const,
        ]);
        window.page.controller.setLast({ segments });
      });
      const lines = page.locator('.mg-work__line');
      await lines.nth(2).waitFor();
      const names = await lines.evaluateAll((all) => all.map((line) => [line.textContent?.trim(), line.getAttribute('aria-label')]));
      expect(names).toEqual([1, 2, 3].map((nth) => ['Read 1 note', `Read 1 note (${nth} of 3)`]));
    }));

  it('lead to the cited block, or say that it is gone', () =>
    on('finished', async (page) => {
      await page.getByRole('link', { name: 'Street trees' }).click();
      expect(await hostCalls(page)).toEqual([['openBlock', '20260412093011-abc1234']]);
      await page.evaluate(() => window.page.host.gone.add('20260412093011-abc1234'));
      await page.getByRole('link', { name: 'Street trees' }).press('Enter');
      await page.getByText('That block is gone').waitFor();
      expect((await hostCalls(page)).length).toBe(1);
      await page.getByText('unverified').waitFor();
    }));

  it('show a cited block at a glance, by pointer and by keyboard', () =>
    on('finished', async (page) => {
      const link = page.getByRole('link', { name: 'Street trees' });
      const preview = page.getByRole('tooltip');
      await link.hover();
      await preview.getByText('Text of the block 20260412093011-abc1234').waitFor();
      const [frame, box] = [await page.getByRole('region').boundingBox(), await preview.boundingBox()];
      expect([box!.x >= frame!.x, box!.x + box!.width <= frame!.x + frame!.width]).toEqual([true, true]);
      // The pointer may come in; beside both it closes.
      await preview.hover();
      await message(page).hover();
      await preview.waitFor({ state: 'detached' });
      await page.keyboard.press('Tab');
      await link.focus();
      await preview.waitFor();
      await expect.poll(() => link.getAttribute('aria-describedby')).toBe(await preview.getAttribute('id'));
      await page.keyboard.press('Escape');
      expect(await preview.count()).toBe(0);
      await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
      await link.press('Enter');
      expect(await hostCalls(page)).toEqual([['openBlock', '20260412093011-abc1234']]);
    }));

  it('show no block once the link to it is gone', () =>
    on('finished', async (page) => {
      const preview = page.getByRole('tooltip');
      await page.getByRole('link', { name: 'Street trees' }).hover();
      await preview.waitFor();
      await page.evaluate(() => window.page.controller.set({ sessionId: 'other', messages: [], title: '' }));
      await preview.waitFor({ state: 'detached' });
    }));

  it.each([
    [
      'its link goes while the block is read',
      (page: Page) => page.evaluate(() => window.page.controller.set({ sessionId: 'other', messages: [], title: '' })),
    ],
    ['the list scrolls under the pointer', (page: Page) => page.mouse.wheel(0, -400)],
    [
      'a page is opened over its link',
      async (page: Page) => {
        await message(page).hover();
        await page.locator('.mg-cite').dispatchEvent('pointerover');
        await page.waitForTimeout(400);
        await button(page, 'Settings').press('Enter');
      },
    ],
  ] as const)('show no block where %s', (_when, change) =>
    on(
      'finished',
      async (page) => {
        await page.evaluate(() => {
          const { host } = window.page;
          const { promise, resolve } = Promise.withResolvers<void>();
          const preview = host.preview.bind(host);
          host.preview = (id) => promise.then(() => preview(id));
          document.addEventListener('click', () => resolve());
        });
        await page.getByRole('link', { name: 'Street trees' }).hover();
        await page.waitForTimeout(400);
        await change(page);
        await page.waitForTimeout(400);
        await page.evaluate(() => document.body.click());
        await page.waitForTimeout(400);
        expect(await page.getByRole('tooltip').count()).toBe(0);
      },
      { height: 420 },
    ),
  );

  it('keep each thought open that the reader opened', () =>
    on('streaming', async (page) => {
      const show = (parts: number): Promise<void> =>
        page.evaluate((shown) => {
          const call = { callId: 'c1', tool: 'read_doc', args: { id: 'x' }, status: 'running' as const, started: Date.now() };
          const all = [
            { kind: 'reasoning' as const, text: 'The first thought.' },
            { kind: 'call' as const, call },
            { kind: 'reasoning' as const, text: 'The second thought.' },
          ];
          window.page.controller.setLast({ segments: all.slice(0, shown) });
        }, parts);
      const summary = page.locator('details summary');
      const [first, second] = [page.getByText('The first thought.'), page.getByText('The second thought.')];
      await show(1);
      await summary.click();
      await first.waitFor();
      await show(2);
      await page.locator('[data-tool]').waitFor();
      await expect.poll(() => first.isVisible()).toBe(true);
      await show(3);
      await summary.nth(1).click();
      await second.waitFor();
      await summary.nth(1).click();
      await second.waitFor({ state: 'hidden' });
      await expect.poll(() => first.isVisible()).toBe(true);
    }));

  it('show where a block stands and which words it shares, and leave the sentence free that it supports', () =>
    on('finished', async (page) => {
      const link = page.getByRole('link', { name: 'Street trees' });
      const preview = page.getByRole('tooltip');
      await page.evaluate(() => {
        const { host } = window.page;
        host.preview = async () => ({
          title: 'Urban heat',
          place: 'Research/Urban heat',
          markdown: 'In 2019 **sealed** ground was hot. Your garden was not.',
        });
      });
      await link.hover();
      await preview.getByText('Research/Urban heat').waitFor();
      const marked = await page.evaluate(() =>
        [...(CSS.highlights.get('marginalia-cited') ?? [])].map((range) => (range as Range).toString()),
      );
      expect(marked).toEqual(['sealed ground', 'Your']);
      const [sentence, box] = [await link.boundingBox(), await preview.boundingBox()];
      expect(box!.y >= sentence!.y + sentence!.height || box!.y + box!.height <= sentence!.y).toBe(true);
    }));

  it('show every note that is named, also to a finger that rests on it, which does not open it', () =>
    on(
      'finished',
      async (page) => {
        const preview = page.getByRole('tooltip');
        const link = page.getByRole('link', { name: 'Street trees' });
        const box = (await link.boundingBox())!;
        const session = await page.context().newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchEnd') =>
          session.send('Input.dispatchTouchEvent', {
            type,
            touchPoints: type === 'touchStart' ? [{ x: box.x + 10, y: box.y + 8 }] : [],
          });
        await touch('touchStart');
        await preview.waitFor();
        await touch('touchEnd');
        expect(await hostCalls(page)).toEqual([]);
        await message(page).tap();
        await preview.waitFor({ state: 'detached' });
        await link.tap();
        expect(await hostCalls(page)).toEqual([['openBlock', '20260412093011-abc1234']]);
      },
      { context: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } } },
    ));

  it('say of a cited block that is gone so, and mark it', () =>
    on('finished', async (page) => {
      await page.evaluate(() => window.page.host.gone.add('20260412093011-abc1234'));
      const link = page.getByRole('link', { name: 'Street trees' });
      await link.hover();
      await page.getByRole('tooltip').getByText('That block is gone or cannot be accessed.').waitFor();
      await expect.poll(() => link.getAttribute('class')).toContain('mg-cite-gone');
      await expect.poll(() => page.getByText('unverified').getAttribute('title')).toBe('The model did not read this block in this chat.');
    }));

  it('say that no note was used', () =>
    on('answered', async (page) => {
      await expect.poll(() => page.getByText('Answered without your notes').count()).toBe(2);
      await button(page, 'Tools').click();
      for (const name of ['Notes', 'Blocks', 'Search', 'Attributes', 'Tags'])
        if (await page.getByRole('checkbox', { name, exact: true }).count())
          await page.getByRole('checkbox', { name, exact: true }).uncheck();
      await button(page, 'Back').click();
      expect(await page.getByText('Answered without your notes').count()).toBe(0);
    }));

  it('keep a question with its answer', () =>
    on('answered', async (page) => {
      await page.getByRole('button', { name: 'Asked you twice' }).click();
      const card = page.locator('[data-tool=ask_user]').first();
      await card.getByText('You: Projects').waitFor();
      await card.getByRole('button').first().click();
      await card.getByRole('listitem').getByText('Diary').waitFor();
      await page.getByText('You skipped this question.').waitFor();
    }));

  it('say that a conflict is longer than its box', () =>
    on('conflicts', async (page) => {
      const conflict = page.getByRole('group', { name: 'You have changed this block since', exact: true });
      await conflict.getByRole('group').evaluate((box) => {
        if (box instanceof HTMLElement) box.style.maxHeight = `${box.offsetHeight - 10}px`;
      });
      await conflict.getByRole('button', { name: 'More below: show all' }).waitFor();
    }));

  it('let the user choose where Undo met later changes', () =>
    on('conflicts', async (page) => {
      const conflict = (name: string) => page.getByRole('group', { name, exact: true });
      await expect
        .poll(() => conflict('You have changed this block since').locator('del').allTextContents())
        .toEqual(['Tuesday', 'ten, in room 7']);
      await expect.poll(() => conflict('You have deleted this block since').locator('ins').count()).toBe(2);
      await page.getByText('It is not known whether “/Apollo” was created.').waitFor();
      await conflict('You have changed this block since').getByRole('button', { name: 'Show' }).click();
      await conflict('You have changed this block since').getByRole('button', { name: 'Keep mine' }).click();
      await conflict('You have changed this block since').waitFor({ state: 'detached' });
      await conflict('You have deleted this block since').getByRole('button', { name: 'Undo anyway' }).click();
      await page.getByText('2 blocks undone.').waitFor();
      expect((await calls(page)).map(([name, , ...rest]) => [name, ...rest])).toEqual([
        ['resolveConflict', '20260412093011-conf001', 'keep', 'The kickoff is on Tuesday at ten, in **room 7**.'],
        ['resolveConflict', '20260412093011-conf002', 'undo', null],
      ]);
      expect(await hostCalls(page)).toEqual([['openBlock', '20260412093011-conf001']]);
    }));

  it('are copied, inserted, asked again and undone', () =>
    on('finished', async (page) => {
      await button(page, 'Copy').click();
      await button(page, 'Insert below the cursor').click();
      const said = page.getByRole('status').filter({ hasText: 'Inserted below the cursor' });
      await said.getByRole('button', { name: 'Undo' }).click();
      expect((await calls(page)).map(([name, , place]) => [name, place])).toEqual([
        ['notes.append', '20260412093000-caretat'],
        ['notes.undoAppend', 'append-1'],
      ]);
      await page.evaluate(() => {
        window.page.host.hasEditor = false;
        window.page.controller.log.length = 0;
      });
      await button(page, 'Insert below the cursor').click();
      await page.getByRole('group', { name: 'Append to a note' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await calls(page)).toEqual([]);
      await button(page, 'Regenerate').click();
      await button(page, 'Undo').click();
      await page.getByText('Undone', { exact: true }).waitFor();
      expect((await calls(page)).map(([name]) => name)).toEqual(['rerun', 'undo']);
      expect(await button(page, 'Undo').count()).toBe(0);
    }));

  it('say of a deleted one that what it wrote stays, and where that is undone', () =>
    on('finished', async (page) => {
      const remove = async (role: string): Promise<void> => {
        const article = page.locator(`article[data-role="${role}"]`).last();
        await article.hover();
        await article.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      };
      await remove('assistant');
      await page.getByText('Message deleted. What it wrote into notes stays; it can be undone in Activity.').waitFor();
      await remove('user');
      await page.getByText('Message deleted', { exact: true }).waitFor();
    }));

  it('show that Undo works while it does, and take no second press', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const { controller } = window.page;
        const undo = controller.undo.bind(controller);
        controller.undo = async (nodeId) => {
          await new Promise((resolve) => document.addEventListener('release-undo', resolve, { once: true }));
          await undo(nodeId);
        };
      });
      await button(page, 'Undo').click();
      const busy = page.locator('button[aria-busy="true"]', { hasText: 'Undoing…' });
      await busy.waitFor();
      await expect.poll(() => busy.isDisabled()).toBe(true);
      await page.evaluate(() => document.dispatchEvent(new Event('release-undo')));
      await button(page, 'Redo').waitFor();
      await busy.waitFor({ state: 'detached' });
    }));

  it('are asked again with another model from their menu, which leaves the chat its own', () =>
    on('finished', async (page) => {
      const article = page.locator('article[data-role="assistant"]').last();
      await article.hover();
      await article.getByRole('button', { name: 'More actions for this message' }).click();
      await page.getByRole('menuitem', { name: 'Regenerate with another model…' }).click();
      const list = page.getByRole('dialog', { name: 'Regenerate with another model…' });
      await list.getByRole('option').first().click();
      await list.waitFor({ state: 'detached' });
      await expect.poll(async () => (await calls(page)).map(([name]) => name)).toEqual(['rerun']);
      const [rerun] = await calls(page);
      expect(rerun?.[2]).toMatchObject({ providerId: expect.any(String), model: expect.any(String) });
    }));

  it('ask before an undo that brings back only a part', () =>
    on('interrupted', async (page) => {
      await page.getByText('This answer was cut off; what it had done is above.').waitFor();
      await page.evaluate(() => {
        window.page.host.answer = false;
      });
      await button(page, 'Undo').click();
      expect((await hostCalls(page)).map(([name]) => name)).toEqual(['confirm']);
      expect(await calls(page)).toEqual([]);
    }));

  it('that failed say what happened and what to do', () =>
    on('error', async (page) => {
      await page.getByText('The provider does not accept the key.').waitFor();
      await page.evaluate(() =>
        window.page.controller.set({ model: { label: 'm', kind: 'ready', ref: { providerId: 'home', model: 'm' } } }),
      );
      await page.getByText('No key is kept on this device.').waitFor();
      await page.evaluate(() => window.page.settings.models.saveProvider('home', { apiKey: 'sk-1' }));
      await page.getByText('The provider does not accept the key.').waitFor();
      await button(page, 'Retry').click();
      expect((await calls(page)).map(([name]) => name)).toEqual(['rerun']);
      await page.getByText('The chat could not be saved.').waitFor();
      await button(page, 'Close').click();
      expect(await page.getByText('The chat could not be saved.').count()).toBe(0);
      await button(page, 'Check the key').click();
      await page.getByRole('group', { name: 'Settings' }).waitFor();
      await expect.poll(() => page.getByLabel('API key', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true);
    }));

  it('that wrote say so in one text that goes on in the next line', () =>
    on('unwritten', async (page) => {
      const row = page.locator('.mg-work__row').first();
      await page.evaluate(() => {
        const { controller } = window.page;
        const messages = controller.view().messages.map((message) => ({
          ...message,
          segments: message.segments.map((segment) =>
            segment.kind === 'call' && segment.call.wrote
              ? {
                  ...segment,
                  call: { ...segment.call, wrote: { ...segment.call.wrote, title: 'A long title of a note '.repeat(8).trim() } },
                }
              : segment,
          ),
        }));
        controller.set({ messages });
      });
      await row.getByText('A long title of a note').waitFor();
      const lines = await row.evaluate((element) => {
        const words = [...element.querySelectorAll('.mg-work__words')] as HTMLElement[];
        const link = element.querySelector('a')!.getClientRects();
        const space = element.ownerDocument.createElement('canvas').getContext('2d')!;
        space.font = getComputedStyle(element).font;
        return { said: words[0]!.getBoundingClientRect(), first: link[0]!, next: link[1]!, space: space.measureText(' ').width };
      });
      expect(Math.abs(lines.said.top - lines.first.top)).toBeLessThan(4);
      expect(lines.next.left).toBeLessThanOrEqual(lines.said.left + 1);
      // One space before the name, not one from the sentence and one between the elements.
      expect(Math.abs(lines.first.left - lines.said.right - lines.space)).toBeLessThan(1);
    }));

  it('that wrote lead to it from the line of work and from the card, and say what is not in the notes', () =>
    on('unwritten', async (page) => {
      const first = page.locator('article[data-role="assistant"]').first();
      await first.getByRole('link', { name: 'Apollo' }).click();
      await first.getByText('1 change was not written. SiYuan cannot be reached.').waitFor();
      await first.getByRole('button', { name: 'Wrote into Apollo · read 1 note · 0.9 s' }).click();
      await first.getByRole('button', { name: 'Show it in Apollo' }).click();
      await expect
        .poll(() => hostCalls(page))
        .toEqual([
          ['openBlock', '20260412093000-apollo0'],
          ['openBlock', '20260412093000-apollo1'],
        ]);
      const cut = page.locator('article[data-status="interrupted"]');
      await cut.getByText('Nothing was written: the change that was pending is shown above.').waitFor();
      await expect.poll(() => cut.locator('ins').allTextContents()).toEqual(['Tuesday']);
      // A chat is opened at its end: the notice and its button stand there, not above all that was done.
      const [change, retry] = [await cut.locator('ins').boundingBox(), await cut.getByRole('button', { name: 'Retry' }).boundingBox()];
      expect(retry!.y).toBeGreaterThan(change!.y);
    }));

  it('that failed show what the provider says, by a click or the keyboard', () =>
    on('error', async (page) => {
      await page.evaluate(() => {
        const message = 'the provider refused the request: temperature must be below 2';
        window.page.controller.setLast({ error: { code: 'model_bad_request', message, next: 'n' } });
      });
      const words = page.locator('.mg-state').getByText('temperature must be below 2');
      await page.locator('.mg-state summary').focus();
      await expect.poll(() => words.isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      await words.waitFor();
    }));

  it('say how much a server at home reads while it has sent nothing', () =>
    on('error', async (page) => {
      await page.evaluate(() => {
        window.page.controller.set({ running: true });
        window.page.controller.setLast({ status: 'streaming', error: undefined, segments: [], reading: 5412 });
      });
      await page.getByText('Reading about 5,400 tokens…').waitFor();
      await page.evaluate(() => window.page.controller.setLast({ reading: undefined }));
      await page.getByText('Thinking…').waitFor();
      await page.getByText('Reading about').waitFor({ state: 'hidden' });
    }));

  it('that were cut off go on, and whose call stands as text call in text', () =>
    on('error', async (page) => {
      const called = () => page.evaluate(() => window.page.controller.log.map(([name]) => name));
      await page.evaluate(() => window.page.controller.setLast({ status: 'done', error: undefined, end: 'length' }));
      await page.getByText('The answer was cut off at its length limit.').waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect.poll(called).toContain('continue');
      await page.evaluate(() => window.page.controller.setLast({ end: 'text-call' }));
      await page.getByText('The model wrote a tool call as text, so it did not run.').waitFor();
      await page.getByRole('button', { name: 'Let it call tools in text' }).click();
      await expect.poll(called).toContain('setOwn');
      await expect.poll(called).toContain('rerun');
      for (const [end, words] of [
        ['filter', 'The provider’s content filter cut this answer off.'],
        ['refusal', 'The model declined to answer.'],
      ] as const) {
        await page.evaluate((given) => window.page.controller.setLast({ end: given }), end);
        await page.getByText(words).waitFor();
      }
    }));

  it('that were written without all that was read say so', () =>
    on('error', async (page) => {
      const leftOut = { messages: 3, results: 2 };
      await page.evaluate((left) => window.page.controller.setLast({ status: 'done', error: undefined, leftOut: left }), leftOut);
      await page.getByText('3 earlier messages were left out').waitFor();
      await expect.poll(() => page.getByText('Of 2 tool results only the beginnings were sent').count()).toBe(1);
    }));

  it('that failed have the button first that helps', () =>
    on('error', async (page) => {
      const helping = async (code: ErrorCode): Promise<string> => {
        await page.evaluate((failed) => window.page.controller.setLast({ error: { code: failed, message: 'm', next: 'n' } }), code);
        const buttons = page.locator('.mg-state button');
        expect(await buttons.first().getAttribute('class')).not.toContain('outline');
        return (await buttons.allInnerTexts()).join(' · ');
      };
      expect(await helping('model_missing')).toBe('Choose a model · Retry');
      expect(await helping('model_not_found')).toBe('Choose a model · Retry');
      await page.getByText('The provider has no model named “gpt-4.1-mini”.').waitFor();
      expect(await helping('model_unauthorized')).toBe('Check the key · Retry');
      expect(await helping('model_no_credit')).toBe('Choose a model · Retry');
      expect(await helping('model_rate_limited')).toBe('Retry · Choose a model');
      expect(await helping('model_server_error')).toBe('Retry · Choose a model');
      expect(await helping('model_unreachable')).toBe('Retry · Check the model');
      expect(await helping('model_interrupted')).toBe('Retry');
      // The first question of a chat cannot be helped by a new one.
      expect(await helping('model_context_overflow')).toBe('Choose a model · Retry');
      await page.getByText('This question is more than “gpt-4.1-mini” can read at once.').waitFor();
      await page.evaluate(() => {
        const { controller } = window.page;
        const [question, failed] = controller.view().messages;
        controller.set({
          messages: [question!, { ...failed!, nodeId: 'before', status: 'done' }, { ...question!, nodeId: 'more' }, failed!],
        });
      });
      expect(await helping('model_context_overflow')).toBe('New chat · Choose a model · Retry');
      await page.getByText('This chat has become too long for the model.').waitFor();
    }));
});
