// What a random user can see and reach in the page: bundled, and run in it before anything else.

export interface Control {
  /** Place in the list that the page keeps until it is looked at again. */
  readonly at: number;
  readonly role: string;
  readonly name: string;
  /** Which of those that share role and name. */
  readonly index: number;
  readonly kind: 'press' | 'text' | 'choose' | 'file';
}

/** The open chat, as far as it has to be the same after a reload. */
export interface SeenChat {
  /** Null while it is being edited. */
  readonly title: string | null;
  readonly count: number;
  /** What is typed in the composer, and what goes with it; null where none is shown. */
  readonly draft: string | null;
  /** Without the words that are selected in the editor: a reload ends the selection. */
  readonly chips: readonly string[];
  /** Node by its position, of the messages that are in the document. */
  readonly nodes: Readonly<Record<string, string>>;
}

export interface Look {
  readonly controls: readonly Control[];
  /** What breaks a promise that holds for every state of the page. */
  readonly faults: readonly string[];
  readonly panelOpen: boolean;
  readonly chat: SeenChat;
  /** What has the focus: `body`, or role and name. */
  readonly focus: string;
  /** Where that stands. */
  readonly focusPlace: string;
  /** The focus is in the panel, a card or a dialog of ours. */
  readonly focusIsOurs: boolean;
}

declare global {
  interface Window {
    monkey: {
      look(): Look;
      element(at: number): Element | undefined;
      /** Resolves when nothing was drawn for two frames; false when that did not come. */
      quiet(): Promise<boolean>;
    };
  }
}

const OURS = '.mg-panel, .mg-card, .b3-dialog--open';
const CONTROLS =
  'button, a[href], input, textarea, select, summary, [role=button], [role=link], [role=menuitem], [role=checkbox], [role=switch], [role=tab], [role=option], [role=textbox]';
let elements: Element[] = [];
let drawn = 0;

const shown = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
  !element.closest('[inert], [aria-hidden="true"]') &&
  element.getBoundingClientRect().width > 0;

const roleOf = (element: Element): string => {
  const given = element.getAttribute('role');
  if (given) return given;
  const type = element.getAttribute('type');
  const plain: Record<string, string> = { A: 'link', TEXTAREA: 'textbox', SELECT: 'combobox', SUMMARY: 'button', BUTTON: 'button' };
  if (element.nodeName === 'INPUT') return type === 'checkbox' || type === 'radio' || type === 'file' ? type : 'textbox';
  return plain[element.nodeName] ?? 'generic';
};

const words = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

/** Text with what is hidden from assistive technology left out. */
const textOf = (element: Element): string => {
  let text = '';
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.textContent;
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') continue;
    text += node.getAttribute('aria-label') ?? (node instanceof HTMLImageElement ? node.alt : ` ${textOf(node)} `);
  }
  return words(text);
};

/** The accessible name, by the order of the standard, as far as this interface uses it. */
const nameOf = (element: Element): string => {
  const by = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).flatMap((id) => (id ? (document.getElementById(id) ?? []) : []));
  const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
  const field = /^(INPUT|TEXTAREA|SELECT)$/.test(element.nodeName);
  return (
    words(by.map(textOf).join(' ')) ||
    words(element.getAttribute('aria-label')) ||
    words(labels.map(textOf).join(' ')) ||
    (field ? '' : textOf(element)) ||
    words(element.getAttribute('title')) ||
    words(element.getAttribute('placeholder'))
  );
};

const kindOf = (element: Element): Control['kind'] => {
  if (element instanceof HTMLSelectElement) return 'choose';
  if (element instanceof HTMLTextAreaElement) return 'text';
  if (!(element instanceof HTMLInputElement)) return 'press';
  if (element.type === 'file') return 'file';
  return /^(checkbox|radio|button|submit|range|color)$/.test(element.type) ? 'press' : 'text';
};

const isFree = (element: Element): boolean => !(element as HTMLButtonElement).disabled && element.getAttribute('aria-disabled') !== 'true';

/** The list or group, and the entry in it, that a control is in: names tell controls apart there. */
const placeOf = (element: Element): Element | null =>
  element.closest(
    'li, [role=listitem], article, [role=menu], [role=dialog], [role=group], [role=toolbar], [role=search], form, fieldset, ul, ol, .mg-panel, .mg-card',
  );

const twins = (found: readonly { element: Element; role: string; name: string }[]): string[] => {
  const seen = new Map<Element | null, Map<string, Element>>();
  const faults: string[] = [];
  for (const { element, role, name } of found) {
    const place = placeOf(element.parentElement ?? element);
    const names = seen.get(place) ?? new Map<string, Element>();
    seen.set(place, names);
    const key = `${role} "${name}"`;
    const other = names.get(key);
    // Two links to one place are one thing said twice.
    const same = other && role === 'link' && other.getAttribute('href') === element.getAttribute('href');
    if (other && !same)
      faults.push(
        `two controls in one ${place?.getAttribute('role') ?? place?.nodeName ?? 'page'} (${place?.className ?? ''}) are called ${key}`,
      );
    names.set(key, element);
  }
  return faults;
};

/** What stops the panel from answering; empty when nothing does. */
const silent = (panel: Element): string[] => {
  const page = panel.querySelector('.mg-page');
  if (page) return shown(page) ? [] : ['a page is open and not seen'];
  const composer = panel.querySelector('.mg-composer textarea');
  if (!(composer instanceof HTMLTextAreaElement)) return ['neither composer nor page is there'];
  if (!shown(composer)) return ['the composer is not seen'];
  return composer.disabled || composer.readOnly ? ['the composer takes no text'] : [];
};

const seenChat = (panel: Element | null): SeenChat => {
  const articles = [...(panel?.querySelectorAll('.mg-history article') ?? [])];
  const nodes: Record<string, string> = {};
  for (const article of articles)
    nodes[article.getAttribute('aria-posinset') ?? ''] = article.closest('[data-node]')?.getAttribute('data-node') ?? '';
  const title = panel?.querySelector('h2');
  const field = panel?.querySelector('.mg-composer textarea');
  return {
    title: title ? words(title.textContent) : null,
    count: Number(articles[0]?.getAttribute('aria-setsize') ?? 0),
    draft: field instanceof HTMLTextAreaElement ? field.value : null,
    chips: [...(panel?.querySelectorAll('.mg-composer .mg-chip:not([data-follows-editor="true"]) .mg-chip__title') ?? [])].map((chip) =>
      words(chip.textContent),
    ),
    nodes,
  };
};

/** Where an element stands, for whoever reads a report: the classes of ours around it. */
const pathOf = (element: Element): string => {
  const names: string[] = [];
  for (let each = element.closest('[class*="mg-"]'); each; each = each.parentElement?.closest('[class*="mg-"]') ?? null)
    names.unshift([...each.classList].find((name) => name.startsWith('mg-')) ?? '');
  return names.join(' ');
};

const look = (): Look => {
  const all = [...document.querySelectorAll(OURS)].flatMap((root) => [...root.querySelectorAll(CONTROLS)]);
  // What is in a drawn note (a preview) is the host's.
  const found = [...new Set(all)]
    .filter((element) => shown(element) && !element.closest('.protyle-wysiwyg'))
    .map((element) => ({ element, role: roleOf(element), name: nameOf(element) }));
  elements = found.map(({ element }) => element);
  const counts = new Map<string, number>();
  const controls = found.map(({ element, role, name }, at) => {
    const key = `${role} ${name}`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    return { at, role, name, index, kind: kindOf(element), free: isFree(element) };
  });
  const panel =
    [...document.querySelectorAll('.mg-panel:not(.mg-tester)')].find((each) => each.nodeName === 'SECTION' && shown(each)) ?? null;
  const { activeElement } = document;
  const onBody = activeElement === null || activeElement === document.body;
  const focusIsOurs = activeElement?.closest(OURS) != null;
  return {
    controls: controls.filter(({ free }) => free).map(({ free: _free, ...control }) => control),
    faults: [
      ...found.filter(({ name }) => name === '').map(({ element }) => `a control has no name: ${element.outerHTML.slice(0, 160)}`),
      ...twins(found),
      ...(panel ? silent(panel) : []),
      ...(/could not be loaded/.test(document.querySelector('.dockPanel, [data-type="siyuan-marginaliapanel"]')?.textContent ?? '')
        ? ['the panel was not loaded']
        : []),
    ],
    panelOpen: panel !== null,
    chat: seenChat(panel),
    focus: onBody || !activeElement ? 'body' : `${roleOf(activeElement)} "${focusIsOurs ? nameOf(activeElement).slice(0, 60) : ''}"`,
    focusPlace: activeElement ? pathOf(activeElement) : '',
    focusIsOurs,
  };
};

// A page behind another one draws nothing: time goes on there all the same.
const frame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
const quiet = async (): Promise<boolean> => {
  for (let frames = 0, still = 0; frames < 60; frames++) {
    const before = drawn;
    await frame();
    still = drawn === before ? still + 1 : 0;
    if (still === 2) return true;
  }
  return false;
};

new MutationObserver(() => {
  drawn++;
}).observe(document, { childList: true, subtree: true, characterData: true });
window.monkey = { look, quiet, element: (at) => elements[at] };
