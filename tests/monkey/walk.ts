// A random user over the built plugin: seeded steps, and after each of them what must hold in every state.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { ConsoleMessage, Request } from 'playwright-core';
import { seededRandom } from '../../bench/random.ts';
import { type AppFactory, notebookFiles, type TestApp } from '../support/app.ts';
import { ChatFiles } from '../support/chats.ts';
import { act } from './actions.ts';
import type { Look, SeenChat } from './page-eyes.ts';
import { ScriptedTalk } from './scripted-talk.ts';
import type { Done, Stage } from './stage.ts';

const PETAL = 'data/storage/petal/siyuan-marginalia';
/** Steps within which files may change after they were typed in or written to. */
const LATE = 6;
/** Steps after a consent within which its write may come: it waits until the caret has left the block. */
const WRITE_LATE = 12;

export interface WalkResult {
  readonly seed: number;
  /** Steps that were done. */
  readonly steps: readonly string[];
  /** What did not hold, each the first time that it was seen. */
  readonly faults: readonly Fault[];
}

interface Fault {
  /** Counted from 1. */
  readonly step: number;
  readonly text: string;
}

/** Requests that run, and errors that nobody caught, of one page. */
class Watch {
  readonly faults: string[] = [];
  /** What the page itself asked for elsewhere; a window that a link opened asks on its own, and again after a failure. */
  private readonly foreign: string[] = [];
  private readonly windows: string[] = [];
  private readonly running = new Set<Request>();
  /** Counts what was asked and what was answered. */
  private moved = 0;
  private readonly app: TestApp;
  private readonly talk: ScriptedTalk;

  constructor(app: TestApp, talk: ScriptedTalk) {
    this.app = app;
    this.talk = talk;
    const { page } = app;
    page.on('request', (request) => {
      this.moved++;
      this.running.add(request);
      if (!app.isOurs(new URL(request.url()))) this.foreign.push(request.url());
    });
    const end = (request: Request): void => {
      this.moved++;
      this.running.delete(request);
    };
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    page.on('console', (message) => this.said(message));
    page.on('dialog', (dialog) => void dialog.dismiss());
    page.on('filechooser', () => undefined);
    // A link that leads out opens a window of its own.
    page.on('popup', (popup) => {
      this.windows.push(popup.url());
      void popup.close();
    });
  }

  /** Resolves when nothing is drawn and nothing is asked but what the model holds back. */
  async quiet(): Promise<void> {
    // An answer may have come and not have been read yet: it takes two looks between which nothing was asked or answered.
    let seen = -1;
    for (let round = 0; round < 60; round++) {
      const still = await this.app.page.evaluate(() => window.monkey.quiet());
      const { model, host } = this.open();
      const rests = still && host === 0 && model <= this.talk.waiting;
      if (rests && seen === this.moved) return;
      seen = rests ? this.moved : -1;
    }
    this.faults.push(`the page does not come to rest: ${[...this.running].map((request) => request.url()).join(' ')}`);
  }

  take(): string[] {
    return [...this.faults.splice(0), ...this.app.pageErrors.splice(0).map((error) => `uncaught: ${error}`)];
  }

  /** What went elsewhere since it was last asked for: out of the page, and in windows of their own. */
  takeForeign(): { readonly requests: readonly string[]; readonly windows: readonly string[] } {
    return { requests: this.foreign.splice(0), windows: this.windows.splice(0) };
  }

  /** Requests under way. Those to the model may be held back, or given up while they were. */
  private open(): { readonly model: number; readonly host: number } {
    const open = [...this.running].filter((request) => !request.frame().isDetached() && /^https?:/.test(request.url()));
    const model = open.filter((request) => request.url().startsWith(this.app.model.baseURL)).length;
    return { model, host: open.length - model };
  }

  private said(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    // What Chromium says of an answer that was scripted to fail, and of a model's address that the monkey made up.
    const ours = url.startsWith(this.app.host.url);
    const scripted = /Failed to load resource|net::ERR|CORS policy/.test(message.text()) && !ours;
    if (!scripted) this.faults.push(`console error: ${message.text()} (${url})`);
  }
}

/** The lines of two files that are in one of them alone. */
function difference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `- ${line.trim()}`);
  return [...gone, ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line.trim()}`)].slice(0, 30).join('\n');
}

/** Nothing may be written to notes but by the person's hand, or after a consent and by the journal. */
class Ledger {
  private files: Record<string, string>;
  private readonly texts = new Map<string, string>();
  private entries: ReadonlySet<string>;
  private typedAt = -LATE;
  private consentAt = -WRITE_LATE;
  private writtenAt = -LATE;
  private standing = false;
  private readonly workspace: string;

  constructor(workspace: string) {
    this.workspace = workspace;
    this.files = notebookFiles(workspace);
    for (const path of Object.keys(this.files)) this.texts.set(path, this.read(path));
    this.entries = this.journal();
  }

  check(step: number, done: Done): string[] {
    if (done.typedInNote) this.typedAt = step;
    if (done.consent) this.consentAt = step;
    this.standing ||= done.standing ?? false;
    const faults: string[] = [];
    const entries = this.journal();
    const news = [...entries].filter((entry) => !this.entries.has(entry));
    if (news.length > 0) this.writtenAt = step;
    if (news.length > 0 && !this.standing && step - this.consentAt > WRITE_LATE) faults.push(`written without consent: ${news.join(', ')}`);
    const files = notebookFiles(this.workspace);
    const changed = [...new Set([...Object.keys(files), ...Object.keys(this.files)])].filter((path) => files[path] !== this.files[path]);
    const explained = Math.max(this.typedAt, this.writtenAt) >= step - LATE || this.consentAt >= step - WRITE_LATE;
    if (changed.length > 0 && !explained) {
      const told = changed.map((path) => `${path}\n${difference(this.texts.get(path) ?? '', this.read(path))}`);
      faults.push(`notes changed, and nobody asked for it: ${told.join('\n')}`);
    }
    this.files = files;
    this.entries = entries;
    for (const path of changed) this.texts.set(path, this.read(path));
    return faults;
  }

  private read(path: string): string {
    const file = join(this.workspace, 'data', path);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  private journal(): ReadonlySet<string> {
    const folder = join(this.workspace, PETAL, 'writes');
    try {
      return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')));
    } catch {
      return new Set(); // No write yet.
    }
  }
}

function chatFaults(before: SeenChat, after: SeenChat): string[] {
  const faults: string[] = [];
  if (before.title !== null && before.title !== after.title)
    faults.push(`after the reload another chat stands: "${before.title}" before, "${after.title}" after`);
  if (before.draft !== null && after.draft !== null && before.title === after.title) {
    // What waited behind an answer comes back beside what was typed.
    if (!after.draft.includes(before.draft.trim())) faults.push(`after the reload the draft "${before.draft.slice(0, 60)}" is gone`);
    const lost = before.chips.filter((chip) => !after.chips.includes(chip));
    if (lost.length > 0) faults.push(`after the reload these chips are gone: ${lost.join(', ')}`);
  }
  if (before.count !== after.count) faults.push(`after the reload the chat has ${after.count} messages, before ${before.count}`);
  for (const [at, node] of Object.entries(before.nodes))
    if (after.nodes[at] !== undefined && after.nodes[at] !== node) faults.push(`after the reload message ${at} is another one`);
  return faults;
}

/** Documents of the workspace, the same order in every run. */
async function documentsOf(app: TestApp): Promise<string[]> {
  const rows = await app.kernel<{ id: string }[]>('/api/query/sql', { stmt: "SELECT id FROM blocks WHERE type = 'd' ORDER BY id" });
  return rows.map(({ id }) => id);
}

/** The model that the settings name is the scripted one. */
function namesOurModel(app: TestApp): boolean {
  try {
    const { model } = JSON.parse(readFileSync(join(app.workspace, PETAL, 'settings.json'), 'utf8')) as {
      model?: { baseURL?: string; source?: string };
    };
    return model?.source === 'custom' && model.baseURL === app.model.baseURL;
  } catch {
    return false; // Being written.
  }
}

/** Puts the model back into the settings, as a sync would bring it. */
async function repairModel(app: TestApp): Promise<Done> {
  const files = new ChatFiles(app);
  const model = { source: 'custom', baseURL: app.model.baseURL, apiKey: 'test-key', model: 'scripted' };
  await files.put('settings.json', JSON.stringify({ ...files.settings(), model }));
  await files.announceSync();
  return { words: 'the model is put back into the settings' };
}

export interface WalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** Ends with the first fault. */
  readonly firstOnly?: boolean;
}

/** The program of `page-eyes.ts`, as the page takes it. */
async function bundleEyes(): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [`${import.meta.dirname}/page-eyes.ts`], bundle: true, write: false, format: 'iife' });
  return outputFiles[0]?.text ?? '';
}

export async function walk(factory: AppFactory, options: WalkOptions): Promise<WalkResult> {
  const prompts = [
    { id: 'mail', name: 'E-mail', prompt: 'Write this as an e-mail.', output: 'insert' },
    { id: 'clip', name: 'Clip', prompt: 'Compare {{note}} and {{selection}} with {{clipboard}} on {{date}}: {{input}}', output: 'ask' },
    { id: 'why', name: 'Why', prompt: 'Why is this so?', output: 'ask' },
  ];
  // Speech is asked of the same server, which has none: its buttons are there, and say what is wrong.
  const speech = { providerId: 'custom', model: 'whisper-1' };
  const models = { speechToText: speech, textToSpeech: speech };
  const app = await factory.open({ settings: { prompts, models }, init: await bundleEyes(), offline: true });
  try {
    return await new Walk(app, options).run(seededRandom(options.seed));
  } finally {
    await app.close();
  }
}

class Walk {
  private readonly app: TestApp;
  private readonly options: WalkOptions;
  private readonly said: string[] = [];
  private readonly faults = new Map<string, Fault>();
  private followedAt = -LATE - 1;

  constructor(app: TestApp, options: WalkOptions) {
    this.app = app;
    this.options = options;
  }

  async run(random: ReturnType<typeof seededRandom>): Promise<WalkResult> {
    const { app, said } = this;
    const documents = await documentsOf(app);
    const talk = new ScriptedTalk(app.model, seededRandom(this.options.seed + 7919), documents);
    const watch = new Watch(app, talk);
    const goto = async (address: string): Promise<void> => {
      await app.page.goto(address);
      await app.page.locator('body[data-ready]').waitFor({ timeout: 60_000 });
    };
    const look = (): Promise<Look> => app.page.evaluate(() => window.monkey.look());
    const stage: Stage = { page: app.page, random, documents, url: app.host.url, look, goto };
    await goto(`${app.host.url}?open=${documents[0] ?? ''}`);
    await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    await app.page.getByRole('textbox', { name: 'Message' }).waitFor();
    await watch.quiet();
    // What is covered or gone is left alone; a page that starts may take its time.
    app.page.setDefaultTimeout(3_000);
    app.page.setDefaultNavigationTimeout(60_000);
    const ledger = new Ledger(app.workspace);
    let before = await look();
    for (let step = 0; step < this.options.steps; step++) {
      talk.next();
      let done: Done;
      const lost = !namesOurModel(app);
      try {
        done = lost && random.next() < 0.2 ? await repairModel(app) : await act(stage, before);
      } catch (error) {
        done = { words: `could not act: ${String(error).split('\n')[0]}` };
      }
      said.push(done.words);
      await watch.quiet();
      const after = await look();
      // With another provider chosen, the model is asked for elsewhere; the browser lets nothing through.
      const foreign = this.foreignFaults(watch, step, done, lost || !namesOurModel(app));
      const faults = [
        ...watch.take(),
        ...after.faults,
        ...ledger.check(step, done),
        ...(done.reloaded && before.panelOpen && after.panelOpen ? chatFaults(before.chat, after.chat) : []),
        ...(done.keyIn && after.focus === 'body' ? [`after the key ${done.keyIn} (in ${before.focusPlace}) the focus is on the body`] : []),
        ...foreign,
      ];
      for (const text of faults) this.note(text);
      if (this.options.firstOnly && faults.length > 0) break;
      before = after;
    }
    talk.releaseAll();
    return { seed: this.options.seed, steps: said, faults: [...this.faults.values()] };
  }

  private foreignFaults(watch: Watch, step: number, done: Done, otherModel: boolean): string[] {
    const { requests, windows } = watch.takeForeign();
    if (done.followedLink) this.followedAt = step;
    // A window is reported when its address has answered, or failed to.
    const followed = step - this.followedAt <= LATE;
    return [
      ...(otherModel ? [] : requests.map((url) => `a request went out: ${url}`)),
      ...(followed ? [] : windows.map((url) => `a window opened: ${url}`)),
    ];
  }

  /** One that only differs in ids and numbers is the same one. */
  private note(text: string): void {
    const kind = text.replaceAll(/\d{14}-[0-9a-z]{7}|[0-9a-z]{8}-[0-9a-z]{10}|\d+/g, '#').replace(/\n[\s\S]*/, '');
    if (!this.faults.has(kind)) this.faults.set(kind, { step: this.said.length, text });
  }
}
