// The five steps of the tour, for the readme: what a person sees who presses through it.
import { type AppOptions, startApp } from '../../tests/support/app.ts';
import { handOf, setWidth } from './hand.ts';

const STEPS = 5;
/** Pixels around a step. */
const MARGIN = 10;

/** Calls back with each step's picture; `step` counts from 1. */
export async function takeTour(
  language: NonNullable<AppOptions['language']>,
  save: (step: number, picture: Buffer) => void,
): Promise<void> {
  const app = await startApp({ language, viewport: { width: 1000, height: 900 } });
  try {
    const { t, panel, button } = handOf(app, language);
    await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    await panel.waitFor();
    await setWidth(app, panel, 330);
    await button(t('tour.offer')).click();
    for (let step = 1; step <= STEPS; step += 1) {
      if (step === 1) await panel.getByRole('combobox', { name: t('tour.diary') }).selectOption('none');
      if (step === 2) await button(t('tour.cited', { n: 1 })).click();
      if (step === 3) await panel.locator('[data-diff] ins').first().waitFor();
      await panel.getByRole('heading', { level: 4 }).focus();
      await app.page.mouse.move(3, 3);
      const box = await panel.locator('.mg-tour').boundingBox();
      if (!box) throw new Error(`step ${step} of the tour is not drawn`);
      const clip = { x: box.x - MARGIN, y: box.y, width: box.width + 2 * MARGIN, height: box.height + MARGIN };
      save(step, await app.page.screenshot({ clip, animations: 'disabled' }));
      if (step < STEPS) await button(step === 3 ? t('action.approve') : t('tour.next')).click();
    }
  } finally {
    await app.close();
  }
}
