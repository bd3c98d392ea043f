import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { Page, Route } from 'playwright-core';
import { findChromium } from '../support/chromium.ts';
import { sharedBrowser } from '../support/shared.ts';
import type { Finding, Item, Outcome, Way } from './page.ts';

export const chromiumPath = findChromium();

const ORIGIN = 'http://siyuan.invalid';
const PAGE = `${ORIGIN}/stage/build/desktop/`;
const OWN = `${ORIGIN}/harness/`;
/** SiYuan's own scripts may take the place of those that vditor ships: its folder stage/protyle/js. */
const SCRIPTS =
  process.env.MARGINALIA_FUZZ_SCRIPTS ?? join(dirname(createRequire(import.meta.url).resolve('vditor/package.json')), 'dist', 'js');
const FILES = ['lute/lute.min.js', 'katex/katex.min.js', 'katex/mhchem.min.js', 'mermaid/mermaid.min.js', 'mermaid/mermaid-zenuml.min.js'];
/** A composition that takes longer than this hangs the page, which is a finding of its own. Many times what one takes on a busy machine. */
const PATIENCE_MS = 60_000;
const PATIENCE_EACH_MS = 1_000;

const callShow = ({ items, way }: { readonly items: readonly Item[]; readonly way: Way }): Promise<Outcome> => {
  const show = Reflect.get(window, 'show') as (list: readonly Item[], how: Way) => Promise<Outcome>;
  return show(items, way);
};

export interface FuzzPage {
  /** Shows each item as SiYuan's page would; everything that runs, is asked for or leads elsewhere, with the number of its item. */
  show(items: readonly Item[], way: Way): Promise<Outcome>;
  close(): Promise<void>;
}

function scriptOf(name: string): string {
  try {
    return readFileSync(join(SCRIPTS, name), 'utf8');
  } catch (error) {
    if (name.includes('zenuml')) return ''; // Only SiYuan ships it.
    throw error;
  }
}

async function harness(): Promise<ReadonlyMap<string, string>> {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome105',
    logLevel: 'error',
  });
  const files = new Map(FILES.map((name) => [`${OWN}${name}`, scriptOf(name)]));
  files.set(`${OWN}page.js`, bundle.outputFiles[0]?.text ?? '');
  const scripts = [...files.keys()].map((url) => `<script src="${url}"></script>`).join('');
  files.set(PAGE, `<!doctype html><html><head><meta charset="utf-8"><base href="${ORIGIN}"></head><body>${scripts}</body></html>`);
  return files;
}

/** Only the folders of assets and emojis may be asked; the harness's own files and what carries its own bytes go without saying. */
const mayAsk = (url: URL): boolean =>
  url.protocol === 'data:' || url.protocol === 'blob:' || (url.origin === ORIGIN && /^\/(assets|emojis)\//.test(url.pathname));

/** The number of the composition is in every address that it asks, disguised or not. */
function numberIn(url: string, items: readonly Item[]): number | undefined {
  const numbers = (url.match(/\d+/g) ?? []).map(Number);
  return items.find(({ number }) => numbers.includes(number))?.number;
}

interface Attempt {
  readonly outcome: Outcome;
  readonly asked: readonly string[];
  /** Why the page did not come to its end, if it did not. */
  readonly broken: string;
}

class ChromiumPage implements FuzzPage {
  private page: Page | undefined;
  private readonly files: ReadonlyMap<string, string>;
  private readonly newPage: () => Promise<Page>;
  private readonly end: () => Promise<void>;
  private asked: string[] = [];

  constructor(files: ReadonlyMap<string, string>, newPage: () => Promise<Page>, end: () => Promise<void>) {
    this.files = files;
    this.newPage = newPage;
    this.end = end;
  }

  async show(items: readonly Item[], way: Way): Promise<Outcome> {
    const { outcome, asked, broken } = await this.attempt(items, way);
    const [suspect] = outcome.findings;
    const numbers = asked.map((url) => numberIn(url, items) ?? suspect?.number);
    const [only] = items;
    if (!only) return outcome;
    const isClear = !broken && !numbers.includes(undefined) && outcome.findings.every(({ number }) => number >= 0);
    if (isClear || items.length === 1) {
      const known = outcome.findings.map((finding) => (finding.number < 0 ? { ...finding, number: only.number } : finding));
      const requests = asked.map(
        (what, at): Finding => ({ kind: 'requests', what, stage: 'on the network', number: numbers[at] ?? only.number }),
      );
      const failures: Finding[] = broken ? [{ kind: 'runs', what: broken, stage: 'the page broke', number: only.number }] : [];
      return { ...outcome, findings: [...known, ...requests, ...failures] };
    }
    return this.showParts(items, way);
  }

  /** Somebody among them did it: a few at a time, down to the one that does it alone. */
  private async showParts(items: readonly Item[], way: Way): Promise<Outcome> {
    const total: Outcome = { findings: [], formulas: 0, diagrams: 0 };
    const size = Math.ceil(items.length / 6);
    for (let from = 0; from < items.length; from += size) {
      const part = await this.show(items.slice(from, from + size), way);
      total.findings.push(...part.findings);
      total.formulas += part.formulas;
      total.diagrams += part.diagrams;
    }
    return total;
  }

  close(): Promise<void> {
    return this.end();
  }

  private async attempt(items: readonly Item[], way: Way): Promise<Attempt> {
    const page = await this.open();
    this.asked = [];
    let limit: NodeJS.Timeout | undefined;
    try {
      const hang = new Promise<never>((_, reject) => {
        limit = setTimeout(() => reject(new Error('the page hangs')), PATIENCE_MS + items.length * PATIENCE_EACH_MS);
      });
      const outcome = await Promise.race([page.evaluate(callShow, { items, way }), hang]);
      return { outcome, asked: this.asked, broken: '' };
    } catch (error) {
      this.page = undefined;
      await page.close({ runBeforeUnload: false });
      return { outcome: { findings: [], formulas: 0, diagrams: 0 }, asked: this.asked, broken: String(error).slice(0, 300) };
    } finally {
      clearTimeout(limit);
    }
  }

  private async open(): Promise<Page> {
    if (this.page) return this.page;
    const page = await this.newPage();
    let isOpen = false;
    await page.route('**/*', (route) => this.answer(route, isOpen));
    page.on('dialog', (dialog) => void dialog.dismiss());
    page.on('websocket', (socket) => this.asked.push(socket.url()));
    await page.goto(PAGE);
    isOpen = true;
    this.page = page;
    return page;
  }

  private answer(route: Route, isOpen: boolean): Promise<void> {
    const request = route.request();
    const url = request.url();
    const file = this.files.get(url);
    if (!isOpen && file !== undefined) {
      return route.fulfill({ body: file, contentType: url === PAGE ? 'text/html' : 'text/javascript' });
    }
    if (!mayAsk(new URL(url))) this.asked.push(url);
    // A page that is led away would take what it knows along.
    const leadsAway = request.isNavigationRequest() && request.frame().parentFrame() === null;
    return route.fulfill({ status: leadsAway ? 204 : 404, body: '' });
  }
}

export async function startFuzzPage(): Promise<FuzzPage> {
  const context = await (await sharedBrowser()).newContext();
  return new ChromiumPage(
    await harness(),
    () => context.newPage(),
    () => context.close(),
  );
}
