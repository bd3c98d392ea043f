// What a person reads does not move by itself: cards fold, approvals come and go, answers end.
import { afterEach, describe, expect, it } from 'vitest';
import { setWidth } from '../../scripts/pictures/hand.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const LISBON = '20261103200000-lisbon0';

declare global {
  interface Window {
    steady: { readonly moves: string[]; frames: number; shifts: string[] };
  }
}

/** From now on each frame compares where every visible text is with where it was, apart from what the list scrolled down. */
const watch = (panel: PanelDriver): Promise<void> =>
  panel.region.evaluate((region) => {
    const list = region.querySelector('.mg-list');
    if (!list) throw new Error('no list of messages');
    const found = { moves: [] as string[], frames: 0, shifts: [] as string[] };
    window.steady = found;
    let before = new Map<Element, number>();
    let scrolled = list.scrollTop;
    const look = (): void => {
      const frame = list.getBoundingClientRect();
      const down = Math.max(0, list.scrollTop - scrolled);
      const now = new Map<Element, number>();
      for (const text of region.querySelectorAll('.mg-question__text, .mg-md__group > *')) {
        const { top, bottom } = text.getBoundingClientRect();
        if (bottom < frame.top + 1 || top > frame.bottom - 1) continue;
        now.set(text, top);
        const was = before.get(text);
        if (was !== undefined && Math.abs(top + down - was) >= 0.5)
          found.moves.push(`${Math.round(was)} to ${Math.round(top)}, scrolled ${down}: ${text.textContent?.slice(0, 40)}`);
      }
      before = now;
      scrolled = list.scrollTop;
      found.frames += 1;
      requestAnimationFrame(look);
    };
    look();
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) {
        if (!('sources' in entry) || !Array.isArray(entry.sources)) continue;
        for (const { node, previousRect, currentRect } of entry.sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          // The cards of a running run are the growing end.
          if (!element?.closest('.mg-list :is(.mg-md, .mg-question, .mg-work__line)')) continue;
          if (element.closest('[aria-busy="true"] .mg-md--live :last-child')) continue;
          found.shifts.push(`${element.className} ${previousRect.top} to ${currentRect.top}: ${element.textContent?.slice(0, 40)}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: false });
  });

const found = (panel: PanelDriver) => panel.region.evaluate(() => window.steady);

/** Waits until this many more frames were compared. */
async function frames(panel: PanelDriver, count: number): Promise<void> {
  const { frames: from } = await found(panel);
  await panel.region.page().waitForFunction((until) => window.steady.frames >= until, from + count);
}

const sentences = (count: number, of: string): string =>
  Array.from({ length: count }, (_, index) => `${of} ${index + 1} is said here in a few words of its own.`).join('\n\n');

describe.skipIf(!chromiumPath)('a text in sight', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  /** An answer with every kind of card, watched from its first words until it has ended. */
  async function grows(app: TestApp, panel: PanelDriver): Promise<void> {
    const { held, open: end } = gate();
    app.model.push(
      {
        text: sentences(8, 'Sentence'),
        calls: ['Lisbon', 'bread', 'heat', 'home'].map((query) => ({ name: 'search_notes', args: { query } })),
      },
      {
        text: 'Now the note itself.',
        calls: [
          { name: 'read_doc', args: { id: LISBON } },
          { name: 'read_doc', args: { id: 'x' } },
        ],
      },
      {
        reasoning: 'One change.',
        text: `${sentences(2, 'Thought')}`,
        calls: [{ name: 'insert_blocks', args: { anchor: LISBON, position: 'append', markdown: '## Packing\n\n- Passports\n- Tickets' } }],
      },
      { text: `Packing is there now, as ((${LISBON} "Lisbon")) says. ${sentences(5, 'Result')}`, hold: held },
    );
    await panel.send('What do I have to pack?');
    await panel.answer.getByText('Sentence 1 is').waitFor();
    await watch(panel);
    await panel.approval.getByRole('radio', { name: /^This time/ }).check();
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await panel.answer.getByText('Packing is').waitFor();
    await frames(panel, 5);
    end();
    await panel.settled();
    await frames(panel, 10);
    const { moves, shifts } = await found(panel);
    expect(moves).toEqual([]);
    expect(shifts).toEqual([]);
  }

  it('stays where it is while an answer grows, its cards fold, a change is approved and it ends', async () => {
    app = await startApp({ viewport: { width: 1300, height: 760 } });
    const panel = drive(app.page);
    await panel.open();
    await grows(app, panel);
  });

  it('stays where it is in a dock of 300 px, too', async () => {
    app = await startApp({ viewport: { width: 1300, height: 760 } });
    const panel = drive(app.page);
    await panel.open();
    await setWidth(app, panel.region, 300);
    await expect.poll(async () => Math.round((await panel.region.boundingBox())?.width ?? 0)).toBe(300);
    await grows(app, panel);
  });

  it('stays where it is for a reader who went back in a long answer', async () => {
    app = await startApp({ viewport: { width: 1300, height: 760 } });
    const panel = drive(app.page);
    await panel.open();
    const { held, open: goOn } = gate();
    app.model.push(
      {
        text: sentences(25, 'Sentence'),
        calls: ['Lisbon', 'bread', 'heat', 'home'].map((query) => ({ name: 'search_notes', args: { query } })),
      },
      { text: 'It is found, and that is all.', hold: held },
    );
    await panel.send('What do I have to pack?');
    await panel.answer.getByText('It is').waitFor();
    const list = panel.region.locator('.mg-list');
    await list.hover();
    await app.page.mouse.wheel(0, -150);
    await expect
      .poll(() => list.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight))
      .toBeGreaterThan(40);
    await watch(panel);
    await frames(panel, 3);
    goOn();
    await panel.settled();
    await frames(panel, 10);
    const { moves, shifts } = await found(panel);
    expect(moves).toEqual([]);
    expect(shifts).toEqual([]);
  });
});
