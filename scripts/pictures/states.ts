// Every part of the panel in every look, to be looked at by a person. Each look is one session in one workspace: the pictures follow each other
// as a talk does. In each state axe-core has to find nothing.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '../../tests/support/accessibility.ts';
import { type AppOptions, startApp, type TestApp } from '../../tests/support/app.ts';
import { gate } from '../../tests/support/chats.ts';
import { openOnPhone } from '../../tests/support/hosts.ts';
import type { Script } from '../../tests/support/model-server.ts';
import { hashOf, NotesDriver, type TestNote } from '../../tests/support/notes.ts';
import { ask, type Hand, handOf, hold, more, settle, setWidth } from './hand.ts';
import { batches, finds, otherPages, type Place, takeServerStates, takeSmallModel } from './more-states.ts';
import { orders, plans, projects, smallChanges } from './newer-states.ts';
import { WORDS, type Words } from './words.ts';

interface Look {
  readonly options: Omit<AppOptions, 'language'> & { readonly language?: keyof typeof WORDS };
  /** Of the dock, in CSS pixels; a phone has none. */
  readonly dock?: number;
}

const HEIGHT = 900;
const LOOKS: Readonly<Record<string, Look>> = {
  light: { options: { viewport: { width: 1220, height: HEIGHT } }, dock: 420 },
  dark: { options: { theme: 'dark', viewport: { width: 1220, height: HEIGHT } }, dock: 420 },
  narrow: { options: { viewport: { width: 1000, height: HEIGHT } }, dock: 300 },
  phone: { options: { touch: true } },
  chinese: { options: { language: 'zh-CN', viewport: { width: 1220, height: HEIGHT } }, dock: 420 },
};

interface Stage extends Place {
  readonly note: TestNote;
}

async function showPanel({ app, panel, t }: Hand, { dock, options }: Look): Promise<void> {
  const { page } = app;
  if (options.touch) {
    await page.goto(app.host.url);
    await openOnPhone(page, 'tap');
  } else await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
  await panel.getByRole('textbox', { name: t('composer.name') }).waitFor();
  if (dock !== undefined) await setWidth(app, panel, dock);
}

const reads = ({ query }: Words, end: Script): Script[] => [
  { reasoning: query, text: query, calls: [{ name: 'search_notes', args: { query } }] },
  (request) => ({ calls: [{ name: 'read_doc', args: { id: /\d{14}-[0-9a-z]{7}/.exec(JSON.stringify(request.messages.at(-1)))?.[0] } }] }),
  end,
];

/** The order in which it happened, then the answer with all that is drawn in it, and what is named in it at a glance. */
async function answers({ app, panel, t, words, shoot }: Stage): Promise<void> {
  await panel.locator('.mg-empty li').first().waitFor();
  await shoot('1-empty');
  const { held, open } = gate();
  const cited: Script = (request) => ({
    text: words.answer.replace('NOTE', /\d{14}-[0-9a-z]{7}/.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? ''),
    piece: 60,
    hold: held,
  });
  const done = hold(
    { app, panel, t, button: (name) => panel.getByRole('button', { name, exact: true }) },
    {
      question: words.ask,
      replies: reads(words, cited),
      until: 'answered',
    },
  );
  await panel.locator('article[data-role="assistant"] table, article[data-role="assistant"] .mg-cite-pending').first().waitFor();
  await shoot('2-streaming');
  open();
  await done;
  await panel.locator('.mg-list').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
  await shoot('3-answer');
  await panel.locator('.mg-cite').first().focus();
  await app.page.keyboard.press('Shift+Tab');
  await app.page.keyboard.press('Tab');
  await panel.getByRole('tooltip').waitFor();
  await shoot('4-preview');
  await app.page.keyboard.press('Escape');
  for (const line of await panel.locator('.mg-work__line').all()) await line.click();
  await panel.locator('[data-tool="read_doc"]').getByRole('button').first().click();
  await panel.locator('[data-tool="read_doc"] summary').first().click();
  await shoot('5-details');
  await panel.locator('.mg-list').evaluate((list) => list.scrollTo({ top: list.scrollHeight, behavior: 'instant' }));
  await shoot('6-answer-end');
}

/** A change in a table and added blocks: waiting, written, undone, and in the way of what the user wrote since. */
async function changes(stage: Stage): Promise<void> {
  const { app, panel, t, button, words, note, shoot } = stage;
  const table = note.blocks[1] ?? '';
  const replies: Script[] = [
    { calls: [{ name: 'read_doc', args: { id: note.id } }] },
    (request) => ({
      calls: [
        { name: 'edit_block', args: { id: table, expectHash: hashOf(request, table), edits: [words.edit] } },
        { name: 'insert_blocks', args: { anchor: note.id, position: 'append', markdown: words.added } },
      ],
    }),
    { text: words.changed },
  ];
  await button(t('action.newChat')).first().click();
  app.model.push(...replies);
  await ask(stage, words.change);
  await button(t('action.approveAll')).waitFor();
  await shoot('7-approval');
  await button(t('diff.name')).last().click();
  await panel.getByRole('checkbox').last().click();
  await panel.locator('.mg-approval').evaluate((card) => card.scrollTo({ top: card.scrollHeight, behavior: 'instant' }));
  await shoot('8-approval-part');
  await button(t('action.approveAll')).click();
  await button(t('action.approveUnseen'))
    .or(button(t('action.undo')))
    .first()
    .waitFor();
  if (await button(t('action.approveUnseen')).isVisible()) await button(t('action.approveUnseen')).click();
  await button(t('action.undo')).waitFor();
  await panel.locator('.mg-work__line').last().click();
  await shoot('9-written');
  await new NotesDriver(app).writeElsewhere(note.blocks[0] ?? '', '…');
  await button(t('action.undo')).click();
  await button(t('action.redo')).waitFor();
  await shoot('10-undone');
  app.model.push({ status: 401, body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}' });
  await ask(stage, words.failing);
  await panel.getByRole('alert').first().waitFor();
  await shoot('11-error');
}

async function pages(stage: Stage): Promise<void> {
  const { app, panel, t, button, words, shoot } = stage;
  await button(t('page.chats')).click();
  await panel.locator('.mg-page li').first().waitFor();
  await shoot('12-chats');
  await panel.locator('.mg-page li .mg-more button').first().click();
  await shoot('13-chat-menu');
  await app.page.keyboard.press('Escape');
  await button(t('action.back')).click();
  await more(stage, t('action.saveNote'));
  await shoot('14-save');
  await button(t('action.back')).click();
  await button(t('page.settings')).click();
  await shoot('15-settings');
  await panel.getByRole('searchbox').fill(words.search);
  await shoot('16-settings-search');
  await button(t('action.back')).click();
  await button(t('page.tools')).click();
  await shoot('17-tools');
  await button(t('action.back')).click();
  await more(stage, t('activity.title'));
  await panel.locator('[data-call]').first().waitFor();
  await shoot('18-activity');
  await button(t('action.back')).click();
  for (const page of ['written.title', 'orders.title'] as const) {
    await more(stage, t(page));
    await panel.locator('.mg-page :is(summary, section, .mg-none)').first().waitFor();
    await shoot(`18-${page}`);
    await button(t('action.back')).click();
  }
}

/** How much axe-core found; what lies under a menu or a card it cannot decide. */
let faults = 0;

function stageOf(app: TestApp, look: Look, words: Words, note: TestNote, path: string): Stage {
  const hand = handOf(app, look.options.language);
  const shoot: Place['shoot'] = async (name, of = 'panel') => {
    if (!look.options.touch) await app.page.mouse.move(3, 3);
    // No word of the host or the panel that comes and goes lies over it.
    await app.page.locator('.b3-snackbar:visible, .mg-said').first().waitFor({ state: 'hidden' });
    const target = look.dock === undefined || of === 'page' ? app.page : hand.panel;
    const file = join(path, `${name}.png`);
    await target.screenshot({ path: file, animations: 'disabled' });
    const found = await findings(app.page, '.mg-panel', false);
    for (const each of found) console.error(`${file}: axe-core: ${each}`);
    faults += found.length;
  };
  return { ...hand, words, note, dock: look.dock, shoot };
}

async function firstWords(look: Look, path: string): Promise<void> {
  const app = await startApp({ ...look.options, settings: { model: { source: 'host' } } });
  try {
    const hand = handOf(app, look.options.language);
    await showPanel(hand, look);
    await hand.panel.getByText(hand.t('first.title')).waitFor();
    await stageOf(app, look, WORDS[look.options.language ?? 'en'], { id: '', blocks: [] }, path).shoot('0-first-words');
  } finally {
    await app.close();
  }
}

/** Returns the parts that could not be shown. */
async function takeLook(name: string, look: Look, folder: string): Promise<readonly string[]> {
  const stopped: string[] = [];
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  await firstWords(look, path);
  const app = await startApp(look.options);
  const words = WORDS[look.options.language ?? 'en'];
  try {
    const note = await new NotesDriver(app).create(words.notebook, words.note.title, words.note.markdown);
    const stage = stageOf(app, look, words, note, path);
    await showPanel(stage, look);
    await settle(stage, words.notebook);
    for (const part of [answers, changes, pages, projects, orders, smallChanges, plans, finds, batches, otherPages])
      try {
        await part(stage);
      } catch (error) {
        // One part that cannot be reached must not cost the others; its picture shows where it stopped.
        stopped.push(`${name}, ${part.name}: ${error instanceof Error ? error.message.slice(0, 300) : error}`);
        await app.page.screenshot({ path: join(path, `stopped-${part.name}.png`) });
        await app.page.keyboard.press('Escape');
      }
  } finally {
    await app.close();
  }
  const again = (each: TestApp): Place => stageOf(each, look, words, { id: '', blocks: [] }, path);
  await takeSmallModel(look.options, (hand) => showPanel(hand, look), again);
  if (look.dock !== undefined) await takeServerStates(path, look.options, look.dock);
  console.log(`${path} is done`);
  return stopped;
}

/** @param names of the looks; none: all of them. Throws when all are taken, if a part could not be shown or axe-core found something. */
export async function takeStates(folder: string, names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(LOOKS, name));
  if (unknown !== undefined) throw new Error(`no look "${unknown}": one of ${Object.keys(LOOKS).join(', ')}`);
  const stopped: string[] = [];
  for (const [name, look] of Object.entries(LOOKS))
    if (names.length === 0 || names.includes(name)) stopped.push(...(await takeLook(name, look, folder)));
  if (stopped.length > 0) throw new Error(`not shown, see stopped-*.png in ${folder}:\n${stopped.join('\n')}`);
  if (faults > 0) throw new Error(`axe-core found ${faults} faults`);
}
