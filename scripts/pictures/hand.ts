// A person at the panel, for the pictures: what they press, in the language of the picture.
import type { Locator } from 'playwright-core';
import english from '../../i18n/en_US.json' with { type: 'json' };
import chinese from '../../i18n/zh_CN.json' with { type: 'json' };
import { createTranslate, type Translate } from '../../src/ui/ports/i18n.ts';
import type { AppOptions, TestApp } from '../../tests/support/app.ts';
import type { Talk } from './talks.ts';

/** What a person does at the panel, in the language of the picture. */
export interface Hand {
  readonly app: TestApp;
  readonly t: Translate;
  readonly panel: Locator;
  button(name: string): Locator;
}

export function handOf(app: TestApp, language: AppOptions['language']): Hand {
  const t = createTranslate(language === 'zh-CN' ? chinese : english);
  const panel = app.page.getByRole('region', { name: t('panel.name') });
  return { app, t, panel, button: (name) => panel.getByRole('button', { name, exact: true }) };
}

/** A model's name to show, and the right to write, as the user gives them: on the page of settings. */
export async function settle({ panel, t, button }: Hand, notebook: string): Promise<void> {
  await button(t('page.settings')).click();
  await button(t('settings.changeModel')).click();
  await panel.getByRole('combobox', { name: t('models.search') }).fill('your-model');
  await panel.getByRole('option', { name: t('models.use', { model: 'your-model' }) }).click();
  await panel.getByRole('combobox', { name: notebook, exact: true }).selectOption('write');
  await button(t('action.back')).click();
}

export async function ask({ panel, t, button }: Hand, text: string): Promise<void> {
  await panel.getByRole('textbox', { name: t('composer.name') }).fill(text);
  await button(t('action.send')).click();
}

/** Opens an entry of the menu “More”. */
export async function more({ panel, t, button }: Hand, entry: string): Promise<void> {
  await button(t('action.more')).first().click();
  await panel.getByRole('menuitem', { name: entry, exact: true }).click();
}

export async function hold(hand: Hand, talk: Talk): Promise<void> {
  const { app, panel, t, button } = hand;
  app.model.push(...talk.replies);
  const answers = panel.locator('article[data-role="assistant"]');
  const before = await answers.count();
  await ask(hand, talk.question);
  await answers.nth(before).waitFor();
  if (talk.until !== 'answered') await button(t('action.approve')).waitFor();
  if (talk.until === 'approval') return;
  if (talk.until === 'approved') await button(t('action.approve')).click();
  await panel.locator('article[data-status="done"]').nth(before).waitFor();
  await button(t('action.send')).waitFor();
}

/** Drags the splitter until the dock has this width, in CSS pixels. */
export async function setWidth({ page }: TestApp, panel: Locator, dock: number): Promise<void> {
  const handle = page.locator('.layout__resize:visible').last();
  const [box, column] = [await handle.boundingBox(), await panel.boundingBox()];
  if (!box || !column) throw new Error('the dock has no splitter');
  await page.mouse.move(box.x + box.width / 2, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + column.width - dock, 300, { steps: 4 });
  await page.mouse.up();
}
