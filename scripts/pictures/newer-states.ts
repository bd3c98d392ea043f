// The pages of projects, standing orders and plans, and what a small change without a question shows: forms, and how a refused chat looks.
import { databaseIn } from '../../tests/support/databases.ts';
import { NotesDriver } from '../../tests/support/notes.ts';
import { ask, more } from './hand.ts';
import type { Place } from './more-states.ts';

/** The form, the list, a chat of a project, and the chat once the note is a project no longer. */
export async function projects(place: Place): Promise<void> {
  const { app, panel, t, button, words, shoot } = place;
  const note = words.note.title;
  await more(place, t('projects.title'));
  await button(t('projects.new')).click();
  await panel.getByLabel(t('servers.name'), { exact: true }).fill(note);
  await panel.getByLabel(t('projects.home')).selectOption({ label: words.notebook });
  await panel.getByRole('checkbox', { name: t('projects.keep') }).check();
  await panel.getByRole('checkbox', { name: words.notebook, exact: true }).check();
  await shoot('40-project-form');
  await button(t('prompts.save')).click();
  await panel.getByRole('article', { name: note }).waitFor();
  await shoot('41-projects');
  await button(t('projects.begin', { name: note })).click();
  await panel
    .getByText(t('projects.of', { name: note, words: '' }).trim())
    .first()
    .waitFor();
  app.model.push({ text: words.garden.answer });
  await ask(place, words.garden.ask);
  await panel.locator('article[data-status="done"]').first().waitFor();
  await shoot('42-project-chat');
  await more(place, t('projects.title'));
  await button(t('projects.leave')).click();
  await shoot('43-project-left', 'page');
  await app.page
    .locator('.b3-dialog__container')
    .getByRole('button', { name: t('projects.leave') })
    .click();
  await button(t('action.back')).click();
  await shoot('44-project-refused');
  await more(place, t('projects.title'));
  await button(t('projects.again')).click();
  await button(t('action.back')).click();
  await button(t('action.newChat')).first().click();
}

/** Orders by the clock, of what happens, and of rows: each with its project. */
export async function orders(place: Place): Promise<void> {
  const { app, panel, t, button, words, shoot } = place;
  await databaseIn(app, await new NotesDriver(app).create(words.notebook, words.garden.ask, words.garden.answer));
  await more(place, t('orders.title'));
  await button(t('orders.make')).click();
  await button(t('orders.add')).click();
  await panel.locator('summary', { hasText: t('orders.waitsFor') }).click();
  await shoot('45-order-form');
  await button(t('action.cancel')).first().click();
  await button(t('orders.askRows')).click();
  await panel.getByLabel(t('orders.rowColumn')).waitFor();
  await shoot('46-rows-form');
  await button(t('action.cancel')).first().click();
  await button(t('action.back')).click();
}

/** The settings of small changes, one that was written, and why the next one asks. */
export async function smallChanges(place: Place): Promise<void> {
  const { app, panel, t, button, words, shoot } = place;
  const made = await new NotesDriver(app).create(words.notebook, words.note.title, words.garden.answer);
  const append = (markdown: string) => ({ calls: [{ name: 'insert_blocks', args: { anchor: made.id, position: 'append', markdown } }] });
  await button(t('page.settings')).click();
  await button(t('small.title')).click();
  await panel.locator('section[data-part="small-changes"]').getByRole('checkbox', { name: words.notebook }).check();
  await panel.locator('section[data-part="small-changes"]').evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
  await shoot('47-small-settings');
  await button(t('action.back')).click();
  await button(t('action.newChat')).first().click();
  app.model.push(append(words.garden.ask), { text: words.changed });
  await ask(place, words.change);
  await panel.getByText(t('small.written', { n: 1, notebook: words.notebook })).waitFor();
  await shoot('48-small-written');
  app.model.push(append(`${words.garden.answer} `.repeat(20)), { text: words.changed });
  await ask(place, words.change);
  await button(t('action.approve')).waitFor();
  await shoot('49-asked-because');
  await button(t('action.rejectWhy')).click();
  await button(t('action.reject')).last().click();
  await panel.locator('article[data-status="done"]').last().waitFor();
}

/** A chat that plans first: its list of changes, and the list as it is done. */
export async function plans(place: Place): Promise<void> {
  const { app, panel, t, button, words, shoot } = place;
  const made = await new NotesDriver(app).create(words.notebook, words.note.title, words.garden.answer);
  await button(t('action.newChat')).first().click();
  await panel.locator('.mg-status button').first().click();
  await panel.getByRole('checkbox', { name: t('planFirst.name') }).check();
  await shoot('50-rights-menu');
  await app.page.keyboard.press('Escape');
  const steps = [words.change, words.garden.ask];
  app.model.push(
    { calls: [{ name: 'propose_plan', args: { steps } }] },
    { calls: [{ name: 'insert_blocks', args: { anchor: made.id, position: 'append', markdown: words.garden.ask } }] },
    { text: words.changed },
  );
  await ask(place, words.change);
  await button(t('action.approve')).waitFor();
  await shoot('51-plan');
  await button(t('action.approve')).click();
  await panel.locator('[data-tool="insert_blocks"], .mg-approval').last().waitFor();
  await shoot('52-plan-step');
  await button(t('action.rejectWhy')).click();
  await button(t('action.reject')).last().click();
  await panel.locator('article[data-status="done"]').last().waitFor();
}
