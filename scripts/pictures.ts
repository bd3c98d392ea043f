// npm run pictures: takes the pictures of the readme and of the marketplace anew, from the built plugin in a real browser.
// `npm run pictures -- <name> …` takes only those.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Locator } from 'playwright-core';
import { buildPlugin } from '../esbuild.config.mjs';
import english from '../i18n/en_US.json' with { type: 'json' };
import chinese from '../i18n/zh_CN.json' with { type: 'json' };
import { createTranslate, type Translate } from '../src/ui/ports/i18n.ts';
import { type AppOptions, startApp, type TestApp } from '../tests/support/app.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../tests/support/chromium.ts';
import { EditorDriver } from '../tests/support/editor.ts';
import { type Talk, talks } from './pictures/talks.ts';

const root = dirname(import.meta.dirname);
const KILOBYTE = 1024;

interface Picture {
  /** Path in the project. */
  readonly file: string;
  readonly limit: number;
  readonly options: AppOptions;
  /** The document beside the panel. */
  readonly open: string;
  /** What is open in the document tree, from the notebook down; nothing: the tree is closed. */
  readonly tree: readonly string[];
  /** Width of the dock in CSS pixels. */
  readonly dock: number;
  /** The notebook that may be written. */
  readonly notebook: string;
  readonly talks: readonly Talk[];
  /** Shows the tool cards of the first answer. */
  readonly unfold?: boolean;
  /** The tool tester instead of a document: the tool in its sandbox, with a dry run of what it is given. */
  readonly tester?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  /** A suggestion that stands in the note: what is to be rewritten, and how. */
  readonly rewrite?: { readonly paragraph: string; readonly reply: string };
}

const heat = { open: '20260211100000-urbheat', tree: ['Research'], notebook: 'Life' };
const TRIED = {
  tool: 'daily_note',
  args: { op: 'append', notebook: 'Life', markdown: '## Shopping\n\n- leeks\n- bread' },
};
const PICTURES: Readonly<Record<string, Picture>> = {
  light: {
    file: 'docs/panel-light.png',
    limit: 200,
    options: { viewport: { width: 1220, height: 890 } },
    dock: 420,
    ...heat,
    talks: [talks.heatQuestion, talks.heatSummary('Life')],
  },
  preview: {
    file: 'preview.png',
    limit: 200,
    options: { viewport: { width: 1024, height: 768 } },
    dock: 400,
    ...heat,
    tree: [],
    talks: [talks.heatAtOnce('Life')],
  },
  dark: {
    file: 'docs/panel-dark.png',
    limit: 200,
    options: { theme: 'dark' },
    open: '20261103200000-lisbon0',
    tree: ['Life', 'Travel'],
    dock: 420,
    notebook: 'Life',
    talks: [talks.lisbon, talks.lisbonBudget],
    unfold: true,
  },
  editor: {
    file: 'docs/editor-card.png',
    limit: 200,
    options: { viewport: { width: 1180, height: 760 } },
    open: '20261103200000-lisbon0',
    tree: [],
    dock: 340,
    notebook: 'Life',
    talks: [],
    rewrite: {
      paragraph: 'We go by train and bus',
      reply: 'We go by train and bus, and fly back because Jonas has to work on 19 April.',
    },
  },
  narrow: {
    file: 'docs/panel-narrow.png',
    limit: 200,
    options: { viewport: { width: 1000, height: 840 } },
    open: '20260110180000-home000',
    tree: ['Life'],
    dock: 320,
    notebook: 'Life',
    talks: [talks.sweep, talks.sweepMoved],
  },
  tester: {
    file: 'docs/tester-light.png',
    limit: 200,
    options: { viewport: { width: 1240, height: 760 } },
    ...{ open: '20260110180000-home000', tree: [], dock: 300, notebook: 'Life', talks: [], tester: TRIED },
  },
  testerDark: {
    file: 'docs/tester-dark.png',
    limit: 200,
    options: { theme: 'dark', viewport: { width: 1240, height: 760 } },
    ...{ open: '20260110180000-home000', tree: [], dock: 300, notebook: 'Life', talks: [], tester: TRIED },
  },
  chinese: {
    file: 'docs/panel-chinese.png',
    limit: 220,
    options: { language: 'zh-CN', viewport: { width: 1240, height: 860 } },
    open: '20260830210000-renzhit',
    tree: ['工作笔记', '读书笔记'],
    dock: 420,
    notebook: '工作笔记',
    talks: talks.training('工作笔记'),
  },
};

/** What a person does at the panel, in the language of the picture. */
interface Hand {
  readonly app: TestApp;
  readonly t: Translate;
  readonly panel: Locator;
  button(name: string): Locator;
}

function handOf(app: TestApp, language: AppOptions['language']): Hand {
  const t = createTranslate(language === 'zh-CN' ? chinese : english);
  const panel = app.page.getByRole('region', { name: t('panel.name') });
  return { app, t, panel, button: (name) => panel.getByRole('button', { name, exact: true }) };
}

/** Opens the dock at its width beside the document. */
async function openPanel({ app, panel }: Hand, { open, dock }: Picture): Promise<void> {
  const { page, host } = app;
  await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
  await panel.waitFor();
  // The page remembers the open dock; opened anew with the document, it has nothing more to say about its first start.
  await page.goto(`${host.url}?open=${open}`);
  await page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
  await panel.getByRole('textbox').waitFor();
  const handle = page.locator('.layout__resize:visible').last();
  const [box, column] = [await handle.boundingBox(), await panel.boundingBox()];
  if (!box || !column) throw new Error('the dock has no splitter');
  await page.mouse.move(box.x + box.width / 2, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + column.width - dock, 300, { steps: 4 });
  await page.mouse.up();
}

/** Opens the tree down to the document, and nothing else in it. */
async function arrangeTree({ app: { page } }: Hand, names: readonly string[]): Promise<void> {
  if (names.length === 0) return page.locator('.sy__file [data-type="min"]').click();
  const toggle = (item: Locator): Promise<void> => item.locator('.b3-list-item__toggle').click();
  const opened = page.getByRole('treeitem', { expanded: true, level: 1 });
  await opened.first().waitFor();
  if ((await opened.first().getAttribute('aria-label')) !== names[0]) await toggle(opened.first());
  for (const name of names) {
    const item = page.getByRole('treeitem', { name, exact: true });
    if ((await item.getAttribute('aria-expanded')) === 'false') await toggle(item);
  }
}

/** A model's name to show, and the right to write, as the user gives them: on the page of settings. */
async function settle({ panel, t, button }: Hand, notebook: string): Promise<void> {
  await button(t('page.settings')).click();
  await button(t('settings.changeModel')).click();
  await panel.getByRole('combobox', { name: t('models.search') }).fill('your-model');
  await panel.getByRole('option', { name: t('models.use', { model: 'your-model' }) }).click();
  await panel.getByRole('combobox', { name: notebook, exact: true }).selectOption('write');
  await button(t('action.back')).click();
}

async function hold({ app, panel, t, button }: Hand, talk: Talk): Promise<void> {
  app.model.push(...talk.replies);
  const answers = panel.locator('article[data-role="assistant"]');
  const before = await answers.count();
  await panel.getByRole('textbox', { name: t('composer.name') }).fill(talk.question);
  await button(t('action.send')).click();
  await answers.nth(before).waitFor();
  if (talk.until !== 'answered') await button(t('action.approve')).waitFor();
  if (talk.until === 'approval') return;
  if (talk.until === 'approved') await button(t('action.approve')).click();
  await panel.locator('article[data-status="done"]').nth(before).waitFor();
  await button(t('action.send')).waitFor();
}

/** A slash command at the end of a paragraph, until its suggestion is there. */
async function suggest({ app, t }: Hand, { paragraph, reply }: NonNullable<Picture['rewrite']>): Promise<void> {
  app.model.push({ text: reply });
  const editor = new EditorDriver(app);
  await editor.command(paragraph, 'rewrite', t('slash_rewrite'));
  await editor.proposal('rewrite');
  await editor.card('rewrite').scrollIntoViewIfNeeded();
}

/** A dry run in the tool tester, in the tab in front. */
async function tryOut({ app: { page }, t, panel, button }: Hand, { tool, args }: NonNullable<Picture['tester']>): Promise<void> {
  await button(t('page.tools')).click();
  await button(t('tester.open')).click();
  await button(t('action.back')).click();
  const tester = page.getByRole('region', { name: t('tester.name') });
  await tester.getByRole('tab', { name: t('tester.executor') }).click();
  await tester.getByRole('combobox', { name: t('tester.tool') }).fill(tool);
  await tester.getByRole('button', { name: t('tester.json'), exact: true }).click();
  await tester.getByRole('textbox', { name: t('tester.arguments') }).fill(JSON.stringify(args, null, 2));
  await tester.getByRole('button', { name: t('tester.form'), exact: true }).click();
  await tester.getByRole('button', { name: t('tester.dry') }).click();
  await tester.locator('[data-run="planned"] [data-diff]').waitFor();
  await panel.getByRole('textbox').waitFor();
}

async function take(name: string, picture: Picture): Promise<void> {
  const app = await startApp(picture.options);
  try {
    const hand = handOf(app, picture.options.language);
    await openPanel(hand, picture);
    await arrangeTree(hand, picture.tree);
    await settle(hand, picture.notebook);
    for (const talk of picture.talks) await hold(hand, talk);
    if (picture.rewrite) await suggest(hand, picture.rewrite);
    if (picture.tester) await tryOut(hand, picture.tester);
    if (picture.unfold) await hand.panel.locator('article [aria-controls]').first().click();
    // No tooltip, no caret, no toast.
    await app.page.mouse.move(3, 3);
    await app.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await app.page.locator('.tooltip:visible, .b3-snackbar:visible, .mg-said').first().waitFor({ state: 'hidden' });
    save(picture, await app.page.screenshot({ animations: 'disabled' }));
    if (app.pageErrors.length > 0) throw new Error(`${name}: the page met an error: ${app.pageErrors.join('; ')}`);
  } finally {
    await app.close();
  }
}

function save({ file, limit }: Pick<Picture, 'file' | 'limit'>, picture: Buffer): void {
  if (picture.length > limit * KILOBYTE) throw new Error(`${file}: ${picture.length} bytes, at most ${limit} KB`);
  writeFileSync(join(root, file), picture);
  console.log(`${file.padEnd(24)} ${(statSync(join(root, file)).size / KILOBYTE).toFixed(0).padStart(4)} KB`);
}

/** The icon, drawn by the browser at the size that the marketplace wants. */
async function drawIcon(executablePath: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const page = await browser.newPage({ viewport: { width: 160, height: 160 } });
  await page.setContent(`<body style="margin:0">${readFileSync(join(root, 'docs/icon.svg'), 'utf8')}`);
  save({ file: 'icon.png', limit: 20 }, await page.screenshot({ omitBackground: true }));
  await browser.close();
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => name !== 'icon' && !Object.hasOwn(PICTURES, name));
if (unknown.length > 0) throw new Error(`no picture "${unknown[0]}": one of icon, ${Object.keys(PICTURES).join(', ')}`);
const browser = ensureChromium();
if ('missing' in browser) throw new Error(browser.missing);
const wanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
await buildPlugin();
if (wanted('icon')) await drawIcon(browser.path);
for (const [name, picture] of Object.entries(PICTURES)) if (wanted(name)) await take(name, picture);
// The plugin's folder carries icon and preview.
await buildPlugin();
