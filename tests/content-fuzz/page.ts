// Stands in for SiYuan's page: puts stored block DOM into the document and does to it what that page does, seen in its source (3.7.3):
// formulas by KaTeX that trusts them, diagrams by mermaid at its loosest, error messages as HTML, embeds that are run, tooltips, links.
// Bundled and loaded by browser.ts; not part of the plugin.
import DOMPurify from 'dompurify';
import { type Danger, dangersIn, isOwnFile, leadsElsewhere } from './scan.ts';

export interface Item {
  readonly number: number;
  readonly dom: readonly string[];
}

/** `typed in`: as the block looks after somebody typed in it, which makes the editor read its text as Markdown again. */
export type Way = 'shown' | 'typed in';

export interface Finding extends Danger {
  readonly number: number;
  /** What the page did when it was found. */
  readonly stage: string;
}

export interface Outcome {
  readonly findings: Finding[];
  formulas: number;
  diagrams: number;
}

interface LuteInstance {
  SpinBlockDOM(dom: string): string;
}

interface LuteClass {
  New(): LuteInstance;
  UnEscapeHTMLStr(text: string): string;
  NewNodeID(): string;
}

interface Katex {
  renderToString(tex: string, options: object): string;
}

interface Mermaid {
  initialize(config: object): void;
  registerIconPacks(packs: readonly object[]): void;
  registerExternalDiagrams(diagrams: readonly object[]): Promise<void>;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
}

/** What the scripts before this one left behind. */
const loaded = <T>(name: string): T => Reflect.get(window, name) as T;
const luteClass = loaded<LuteClass>('Lute');
const katex = loaded<Katex>('katex');
const mermaid = loaded<Mermaid>('mermaid');

/** Blocks that SiYuan evaluates, sends away or puts into the page as HTML; a guarded note holds none. */
const EVALUATED = /^(echarts|abc|plantuml|flowchart|graphviz|mindmap|infographic|smiles|wavedrom)$/;

/** An embed is code where it begins so; anything else goes to the index as a statement, which must only read. */
const EVALUATED_EMBED = /^\/\/!js|^(?!\s*select\b).*\b(insert|update|delete|drop|alter|attach|pragma|replace|create|vacuum)\b/is;

const ran: unknown[] = [];
const fuzz = (number: unknown): void => void ran.push(number);
Object.assign(window, { fuzz });
for (const name of ['alert', 'confirm', 'prompt', 'open']) Object.assign(window, { [name]: () => fuzz(name) });

/** Options of the editor's own Lute. */
const ON =
  'TextMark ProtyleWYSIWYG BlockRef FileAnnotationRef KramdownIAL Tag SuperBlock ImgPathAllowSpace InlineAsterisk InlineUnderscore Sup Sub InlineMath InlineMathAllowDigitAfterOpenMarker GFMStrikethrough Mark Callout HTMLTag2TextMark DataTask ParagraphBeginningSpace Sanitize Spin'.split(
    ' ',
  );

const OFF = ['YamlFrontMatter', 'IndentCodeBlock', 'Setext', 'Footnotes', 'LinkRef', 'GFMStrikethrough1', 'ToC', 'HeadingID'];

function newLute(): LuteInstance {
  const made = luteClass.New();
  const set = (name: string, value: boolean): void => {
    const setter: unknown = Reflect.get(made, `Set${name}`);
    if (typeof setter === 'function') setter.call(made, value);
  };
  for (const name of ON) set(name, true);
  for (const name of OFF) set(name, false);
  return made;
}

const lute = newLute();
let ready: Promise<void> | undefined;

async function startMermaid(): Promise<void> {
  const zenuml = loaded<object | undefined>('zenuml');
  if (zenuml) await mermaid.registerExternalDiagrams([zenuml]);
  mermaid.registerIconPacks([{ name: 'logos', loader: async () => ({ prefix: 'logos', icons: {} }) }]);
  mermaid.initialize({
    securityLevel: 'loose',
    altFontFamily: 'sans-serif',
    fontFamily: 'sans-serif',
    startOnLoad: false,
    flowchart: { htmlLabels: true, useMaxWidth: true },
    sequence: { useMaxWidth: true, showSequenceNumbers: true },
  });
}

const contentOf = (element: Element): string => luteClass.UnEscapeHTMLStr(element.getAttribute('data-content') ?? '');
const typesOf = (element: Element): string[] => (element.getAttribute('data-type') ?? '').split(' ');
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const isDrawn = (element: Element): boolean => element.parentElement?.closest('[data-drawn]') != null;

function drawFormulas(place: Element): number {
  const formulas = place.querySelectorAll('[data-subtype="math"]');
  for (const formula of formulas) {
    let html: string;
    try {
      html = katex.renderToString(contentOf(formula), {
        displayMode: formula.tagName === 'DIV',
        output: 'html',
        macros: {},
        trust: true,
        strict: 'ignore',
      });
    } catch (error) {
      html = message(error);
    }
    const target = formula.tagName === 'DIV' ? (formula.firstElementChild ?? formula) : formula;
    target.setAttribute('data-drawn', '');
    target.innerHTML = html;
  }
  return formulas.length;
}

async function drawDiagram(diagram: Element, place: Element): Promise<void> {
  const target = document.createElement('div');
  target.setAttribute('data-drawn', '');
  diagram.append(target);
  const id = `mermaid${luteClass.NewNodeID()}`;
  const anchor = document.createElement('span');
  anchor.id = id;
  target.append(anchor);
  try {
    const { svg } = await mermaid.render(id, contentOf(diagram));
    target.innerHTML = DOMPurify.sanitize(svg, {
      USE_PROFILES: { svg: true, svgFilters: true, mathMl: true },
      ADD_TAGS: ['foreignObject', 'use', 'style'],
      ADD_ATTR: ['dominant-baseline', 'xlink:href', 'href'],
      HTML_INTEGRATION_POINTS: { foreignobject: true },
    });
  } catch (error) {
    const left = document.getElementById(`d${id}`) ?? document.getElementById(id);
    const shown = `${left?.outerHTML ?? ''}<div>${message(error).replace(/\n/, '<br>')}</div>`;
    left?.remove();
    target.innerHTML = shown;
  }
  if (!place.contains(target)) throw new Error('a diagram left its block');
}

/** Blocks that are run or sent as soon as the page shows them. */
function evaluatedIn(place: Element): Danger[] {
  const found: Danger[] = [];
  for (const block of place.querySelectorAll('[data-type^="Node"]')) {
    const type = block.getAttribute('data-type') ?? '';
    const subtype = block.getAttribute('data-subtype') ?? '';
    const what = block.outerHTML.slice(0, 160);
    if (EVALUATED.test(subtype)) found.push({ kind: 'runs', what });
    if (type === 'NodeBlockQueryEmbed' && EVALUATED_EMBED.test(contentOf(block))) found.push({ kind: 'runs', what });
    if (/^Node(HTMLBlock|IFrame|Widget|Video|Audio|AttributeView|CustomBlock)$/.test(type)) found.push({ kind: 'runs', what });
  }
  return found;
}

/** What the page shows when the pointer rests on a link, a memo or a label. */
function tooltipOf(element: Element): string {
  const label = element.getAttribute('aria-label');
  if (label) return label;
  if (typesOf(element).includes('inline-memo')) return DOMPurify.sanitize(element.getAttribute('data-inline-memo-content') ?? '');
  const [href, title] = [element.getAttribute('data-href'), element.getAttribute('data-title')];
  return `${href ? `<span>${href}</span>` : ''}${title ? `<span>${title}</span>` : ''}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hover(place: Element, tooltip: Element): Danger[] {
  const found: Danger[] = [];
  for (const element of place.querySelectorAll('[data-type~="a"], [data-type~="inline-memo"], .ariaLabel, [aria-label]')) {
    tooltip.innerHTML = DOMPurify.sanitize(decoded(tooltipOf(element)));
    found.push(...dangersIn(tooltip, (each) => each.nodeName === 'SPAN'));
    tooltip.innerHTML = '';
  }
  return found;
}

/** Where a click on a link leads: the address is decoded once more. */
function click(place: Element): Danger[] {
  const found: Danger[] = [];
  for (const element of place.querySelectorAll('[data-type~="a"]')) {
    const address = luteClass.UnEscapeHTMLStr(element.getAttribute('data-href') ?? '');
    const what = `a click opens ${JSON.stringify(address)}`;
    if (/^[\s\p{Cc}]*javascript/iu.test(address.replaceAll(/[\t\n\r]/g, '')) && leadsElsewhere(address)) found.push({ kind: 'runs', what });
    else if (/^siyuan:/i.test(address.trim())) {
      if (!/^siyuan:\/\/blocks\/\d{14}-[0-9a-z]{7}([?#][^/]*)?$/.test(address.trim())) found.push({ kind: 'leads', what });
    } else if (/^(file:|\\\\)/i.test(address.trim())) found.push({ kind: 'leads', what });
    else if (/^(assets\/|\/)/i.test(address.trim()) && !isOwnFile(address)) found.push({ kind: 'leads', what });
    else if (/^[a-z][\w+.-]*:/i.test(address.trim()) && leadsElsewhere(address)) found.push({ kind: 'leads', what });
  }
  return found;
}

/** Calls since it was asked last. They carry the number of the composition that they come from, which may not be the one that is shown now. */
const callsSeen = (stage: string): Finding[] =>
  ran.splice(0).map((number) => ({ kind: 'runs', what: `fuzz(${number})`, stage, number: typeof number === 'number' ? number : -1 }));

/** A turn of the event loop. A timer inside timers would wait 4 ms, which is most of what a composition takes. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** A block whose text begins so becomes a task as soon as somebody types in it, and its text is put into the page decoded. */
const TASK = /^(?:[[【][^\x80-\uffff[\]【】][\]】]|\[\]|【】)/;

function asTasks(dom: string): string {
  const place = document.createElement('template');
  place.innerHTML = dom;
  const decoder = document.createElement('textarea');
  for (const text of place.content.querySelectorAll(
    '[data-type="NodeParagraph"] > [contenteditable], [data-type="NodeHeading"] > [contenteditable]',
  )) {
    decoder.innerHTML = text.innerHTML;
    const start = TASK.exec(decoder.value)?.[0].length;
    if (start !== undefined) text.innerHTML = decoder.value.slice(start);
  }
  return place.innerHTML;
}

async function showOne(item: Item, way: Way, tooltip: Element, outcome: Outcome): Promise<void> {
  const report = (stage: string, dangers: readonly Danger[]): void => {
    outcome.findings.push(...dangers.map((danger) => ({ ...danger, stage, number: item.number })));
    outcome.findings.push(...callsSeen(stage));
  };
  const treat = async (dom: string, stage: string): Promise<void> => {
    const place = document.createElement('div');
    place.className = 'protyle-wysiwyg';
    document.body.append(place);
    place.innerHTML = dom;
    // Pictures further down would wait until somebody scrolls.
    for (const image of place.querySelectorAll('img')) image.removeAttribute('loading');
    report(stage, [...dangersIn(place, isDrawn), ...evaluatedIn(place), ...hover(place, tooltip), ...click(place)]);
    outcome.formulas += drawFormulas(place);
    report(`${stage}: formulas`, dangersIn(place, isDrawn));
    const diagrams = [...place.querySelectorAll('[data-subtype="mermaid"]')];
    for (const diagram of diagrams) await drawDiagram(diagram, place);
    outcome.diagrams += diagrams.length;
    if (diagrams.length > 0) report(`${stage}: diagrams`, dangersIn(place, isDrawn));
    await settled();
    report(`${stage}: later`, []);
    place.remove();
  };
  const dom = item.dom.join('');
  const spun = way === 'typed in' ? item.dom.map((block) => lute.SpinBlockDOM(block)).join('') : dom;
  if (way === 'shown' || spun !== dom) await treat(spun, way);
  const tasks = way === 'shown' ? dom : asTasks(dom);
  if (tasks !== dom) await treat(tasks, way);
}

async function show(items: readonly Item[], way: Way): Promise<Outcome> {
  ready ??= startMermaid();
  await ready;
  const outcome: Outcome = { findings: [], formulas: 0, diagrams: 0 };
  const tooltip = document.createElement('div');
  document.body.append(tooltip);
  for (const item of items) await showOne(item, way, tooltip, outcome);
  tooltip.remove();
  // Errors of pictures are told after they were asked for.
  await new Promise((resolve) => setTimeout(resolve, 100));
  outcome.findings.push(...callsSeen('later'));
  return outcome;
}

Object.assign(window, { show });
