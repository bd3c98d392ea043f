// States that the first talk does not reach: notes that were found and that are related, several changes with one question of rights,
// a proposal that is edited, the pages of few visits, a small model at home, and what only the server of one says.
import { join } from 'node:path';
import { startPanelBrowser } from '../../src/ui/testing/browser-page.ts';
import { type AppOptions, startApp, type TestApp } from '../../tests/support/app.ts';
import { forgetOpenNotes } from '../../tests/support/hosts.ts';
import { NotesDriver } from '../../tests/support/notes.ts';
import { ask, type Hand, handOf, setWidth } from './hand.ts';
import type { Words } from './words.ts';

/** What a state is shown with. */
export interface Place extends Hand {
  readonly words: Words;
  /** Of the dock; none on a phone. */
  readonly dock: number | undefined;
  /** Takes a picture of the panel as it is now, or of the whole page. */
  shoot(name: string, of?: 'panel' | 'page'): Promise<void>;
}

const LONG_NAME = 'qwen3-30b-a3b-instruct-2507-q4_k_m';

async function notebookId(app: TestApp, like: (name: string) => boolean): Promise<{ id: string; name: string }> {
  const { notebooks } = await app.kernel<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
  const found = notebooks.find(({ name }) => like(name));
  if (!found) throw new Error('no such notebook');
  return found;
}

async function makeGarden({ app, words }: Place): Promise<readonly string[]> {
  const { id: notebook } = await notebookId(app, (name) => name === words.notebook);
  const made: string[] = [];
  for (const { path, markdown } of words.garden.notes)
    made.push(await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path, markdown }));
  await app.kernel('/api/sqlite/flushTransaction', {});
  return made;
}

const composer = ({ panel, t }: Place) => panel.getByRole('textbox', { name: t('composer.name') });

/** Notes that `@` offers, notes that a search found, and notes that are related to the open one. */
export async function finds(place: Place): Promise<void> {
  const { app, panel, t, button, words, dock, shoot } = place;
  const [first = ''] = await makeGarden(place);
  await button(t('action.newChat')).first().click();
  await composer(place).pressSequentially(words.garden.at);
  await app.page.getByRole('option').first().waitFor();
  await shoot('19-at');
  await app.page.keyboard.press('Escape');
  app.model.push({ calls: [{ name: 'search_notes', args: { query: words.garden.ask } }] }, { text: words.garden.answer });
  await ask(place, words.garden.ask);
  await panel.locator('article[data-status="done"]').first().waitFor();
  await panel.locator('.mg-work__line').last().click();
  await panel.locator('[data-tool]').first().getByRole('button').first().click();
  await panel.locator('.mg-found__note').first().waitFor();
  await shoot('20-found');
  if (dock === undefined) return;
  await forgetOpenNotes(app.page);
  await app.page.goto(app.address({ note: first }));
  await composer(place).waitFor();
  await setWidth(app, panel, dock);
  await composer(place).pressSequentially('@');
  await app.page
    .getByRole('option')
    .filter({ hasText: t('pick.allRelated') })
    .waitFor();
  await shoot('21-related-offered');
  await app.page
    .getByRole('option')
    .filter({ hasText: t('pick.allRelated') })
    .click();
  await panel.locator('.mg-found__note').first().waitFor();
  await shoot('22-related');
  await button(t('action.back')).first().click();
  await composer(place).fill('');
}

/** Three changes in a notebook that may only be read: one question of rights; then the text of one is edited. */
export async function batches(place: Place): Promise<void> {
  const { app, panel, t, button, words, shoot } = place;
  const { name } = await notebookId(app, (each) => each !== words.notebook);
  const note = await new NotesDriver(app).create(name, words.note.title, words.garden.notes.map(({ markdown }) => markdown).join('\n\n'));
  await button(t('action.newChat')).first().click();
  app.model.push(
    { calls: [{ name: 'read_doc', args: { id: note.id } }] },
    {
      calls: [
        { name: 'insert_blocks', args: { anchor: note.id, position: 'append', markdown: words.garden.answer } },
        { name: 'delete_blocks', args: { ids: [note.blocks[0] ?? ''] } },
        { name: 'insert_blocks', args: { anchor: note.id, position: 'prepend', markdown: words.garden.ask } },
      ],
    },
    { text: words.changed },
  );
  await ask(place, words.change);
  await button(t('action.approveAll')).waitFor();
  await shoot('23-rights-once');
  await button(t('revise.action')).first().click();
  await panel.getByRole('textbox', { name: t('revise.name') }).waitFor();
  await shoot('24-edit-proposal');
  await button(t('action.cancel')).first().click();
  await button(t('action.rejectWhy')).click();
  await button(t('action.rejectAll')).click();
  await panel.locator('article[data-status="done"]').last().waitFor();
  await shoot('25-rejected');
}

/** Pages of few visits, and the question before a provider is removed. */
export async function otherPages(place: Place): Promise<void> {
  const { app, panel, t, button, dock, shoot } = place;
  await button(t('page.settings')).click();
  await panel.locator('section').first().waitFor();
  await panel.locator('details > summary').first().click();
  await panel
    .getByRole('button', { name: t('settings.removeProvider', { name: '' }).trim() })
    .first()
    .click();
  await button(t('action.cancel'))
    .or(app.page.getByRole('button', { name: t('action.cancel') }))
    .first()
    .waitFor();
  await shoot('26-remove-provider', 'page');
  await app.page.keyboard.press('Escape');
  await button(t('settings.explain')).click();
  for (const subject of ['settings.answers', 'calls.title', 'budget.title'] as const) await button(t(subject)).click();
  await panel
    .locator('section.mg-folds')
    .first()
    .evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
  await shoot('27-settings-further');
  await button(t('action.back')).first().click();
  await button(t('action.more')).first().click();
  await shoot('27-menu');
  await panel.getByRole('menuitem', { name: t('page.chatSettings') }).click();
  await panel.locator('section').first().waitFor();
  await shoot('28-chat-settings');
  await button(t('action.back')).first().click();
  await button(t('page.tools')).click();
  await panel.locator('.mg-group button').first().click();
  await shoot('29-tools-open');
  await button(t('tester.open')).click();
  if (dock === undefined) return;
  await app.page.getByRole('region', { name: t('tester.name') }).waitFor();
  await shoot('30-tester', 'page');
}

/** A model at home with a long name, a small window and no native tools: notes searched first, and few of the tools. */
export async function takeSmallModel(
  options: AppOptions,
  show: (hand: Hand) => Promise<void>,
  place: (app: TestApp) => Place,
): Promise<void> {
  const app = await startApp({ ...options, settings: { toolProtocol: 'vcp' } });
  try {
    app.model.list([{ id: LONG_NAME, meta: { n_ctx: 4096 } }]);
    const here = place(app);
    const { panel, t, button } = here;
    await makeGarden(here);
    await show(handOf(app, options.language));
    await button(t('page.settings')).click();
    await button(t('settings.changeModel')).click();
    await panel.getByRole('combobox', { name: t('models.search') }).fill(LONG_NAME);
    await panel.getByRole('option', { name: LONG_NAME }).first().click();
    await button(t('action.back')).click();
    app.model.push({ text: here.words.garden.answer });
    await ask(here, here.words.garden.ask);
    await panel.locator('article[data-status="done"]').first().waitFor();
    await panel
      .getByRole('list', { name: t('context.list') })
      .last()
      .getByRole('button')
      .first()
      .click();
    await panel.locator('.mg-found').first().waitFor();
    await here.shoot('31-search-first');
    await button(t('page.tools')).click();
    await panel.locator('.mg-group').first().waitFor();
    await here.shoot('32-tools-small-model');
  } finally {
    await app.close();
  }
}

/** What only a server at home says: how much it reads, and what was learned of it. From the scenes of the browser tests. */
export async function takeServerStates(path: string, { language, theme }: AppOptions, width: number): Promise<void> {
  const browser = await startPanelBrowser();
  try {
    const page = await browser.open({
      scene: 'error',
      width,
      height: 860,
      theme: theme ?? 'light',
      language: language === 'zh-CN' ? 'zh_CN' : 'en_US',
    });
    await page.evaluate(() => {
      const { controller, settings } = window.page;
      controller.set({ running: true });
      controller.setLast({ status: 'streaming', error: undefined, segments: [], reading: 5412 });
      settings.models.learnt = () => ({ window: 4096, noTools: 'refused', noStop: true });
    });
    await page.locator('.mg-answer__wait').waitFor();
    await page.screenshot({ path: join(path, '33-reading.png'), animations: 'disabled' });
    await page.locator('.mg-bar button[aria-label]').nth(3).click();
    await page.locator('.mg-help ul li').first().waitFor();
    await page.screenshot({ path: join(path, '34-learned.png'), animations: 'disabled' });
  } finally {
    await browser.close();
  }
}
