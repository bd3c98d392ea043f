// npm run pictures: takes the pictures of the readme and of the marketplace again, from the built plugin in a real browser.
// `npm run pictures -- <name> …` takes only those. `npm run pictures -- states <folder> [<look> …]` takes every part of the panel in each
// look (light, dark, narrow, phone, chinese), to be looked at, and keeps nothing in the project.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Locator } from 'playwright-core';
import { buildPlugin } from '../esbuild.config.mjs';
import { type AppOptions, startApp } from '../tests/support/app.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../tests/support/chromium.ts';
import { EditorDriver } from '../tests/support/editor.ts';
import { closeShared } from '../tests/support/shared.ts';
import { type Hand, handOf, hold, settle, setWidth } from './pictures/hand.ts';
import { takeStates } from './pictures/states.ts';
import { type Talk, talks } from './pictures/talks.ts';
import { takeTour } from './pictures/tour.ts';

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
  /** The tool tester instead of a document: the tool in its sandbox, with a dry run of what it is given. */
  readonly tester?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  /** A suggestion that is in the note: what is to be rewritten, and how. */
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
  editorChinese: {
    file: 'docs/editor-card-chinese.png',
    limit: 220,
    options: { language: 'zh-CN', viewport: { width: 1180, height: 760 } },
    open: '20260830210000-renzhit',
    tree: [],
    dock: 340,
    notebook: '工作笔记',
    talks: [],
    rewrite: {
      paragraph: '故障演练每月一次',
      reply: '每月做一次故障演练，不提前告知内容：这也是检索练习。',
    },
  },
  tester: {
    file: 'docs/tester-light.png',
    limit: 200,
    options: { viewport: { width: 1240, height: 760 } },
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

/** The steps of the tour, five pictures each. */
const TOURS = { tour: { language: 'en', ending: '' }, tourChinese: { language: 'zh-CN', ending: '-chinese' } } as const;

/** Opens the dock at its width beside the document. */
async function openPanel({ app, panel }: Hand, { open, dock }: Picture): Promise<void> {
  const { page, host } = app;
  await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
  await panel.waitFor();
  // The page remembers the open dock; opened again with the document, it has nothing more to say about its first start.
  await page.goto(`${host.url}?open=${open}`);
  await page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
  await panel.getByRole('textbox').waitFor();
  await setWidth(app, panel, dock);
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

/** A slash command at the end of a paragraph, until its suggestion is there. */
async function suggest({ app, t }: Hand, { paragraph, reply }: NonNullable<Picture['rewrite']>): Promise<void> {
  app.model.push({ text: reply });
  await new EditorDriver(app).command(paragraph, 'rewrite', t('slash_rewrite'));
  const card = app.page.locator('[data-action="rewrite"][data-status="proposal"]');
  await card.locator('[data-diff]').waitFor();
  await card.scrollIntoViewIfNeeded();
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

async function takeChosen(names: readonly string[], executablePath: string): Promise<void> {
  const wanted = (name: string): boolean => names.length === 0 || names.includes(name);
  if (wanted('icon')) await drawIcon(executablePath);
  for (const [name, picture] of Object.entries(PICTURES)) if (wanted(name)) await take(name, picture);
  for (const [name, { language, ending }] of Object.entries(TOURS))
    if (wanted(name)) await takeTour(language, (step, picture) => save({ file: `docs/step-${step}${ending}.png`, limit: 40 }, picture));
  // The plugin's folder carries icon and preview.
  await buildPlugin();
}

async function main(args: readonly string[]): Promise<void> {
  const [first, folder, ...looks] = args;
  const isStates = first === 'states';
  if (isStates && folder === undefined) throw new Error('name the folder for the pictures');
  const chosen = isStates ? [] : args;
  const unknown = chosen.find((name) => name !== 'icon' && !Object.hasOwn({ ...PICTURES, ...TOURS }, name));
  if (unknown !== undefined) throw new Error(`no picture "${unknown}": one of icon, ${Object.keys({ ...PICTURES, ...TOURS }).join(', ')}`);
  const browser = ensureChromium();
  if ('missing' in browser) throw new Error(browser.missing);
  await buildPlugin();
  await (isStates ? takeStates(folder ?? '', looks) : takeChosen(chosen, browser.path));
}

try {
  await main(process.argv.slice(2));
} finally {
  // The browser of the pictures would keep the program from its end.
  await closeShared();
}
