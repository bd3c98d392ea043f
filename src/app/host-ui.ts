import type { HostBase } from '../host/host-base.ts';
import type { KernelWaits } from '../host/kernel/kernel-waits.ts';
import { isAiOff } from '../model/host-providers.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import { inBackground } from '../tools/util/notify.ts';
import type { BlockPreview, HostUi } from '../ui/ports/host-ui.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import { followSelection } from './editor/editor-selection.ts';
import { escapeHtml } from './escape-html.ts';
import { openDialog } from './host-dialog.ts';
import { loadDrawing } from './host-drawing.ts';
import type { Notes } from './lazy-notes.ts';
import { caretBlock, findNotes, noteInEditor } from './note-choices.ts';
import type { PanelHost } from './panel-host.ts';

export interface HostUiDeps {
  readonly host: PanelHost;
  readonly notes: Pick<Notes, 'notes' | 'rights' | 'readBlock' | 'cards'>;
  /** Those that the project of the open chat allows; undefined without one. `goesOn`: as it was read last. */
  readonly projectNotes: (goesOn: boolean) => Promise<NotesPort | undefined>;
  readonly base: HostBase;
  readonly waits: KernelWaits;
  /** Local calendar day, YYYY-MM-DD. */
  readonly today: () => string;
  readonly t: Translate;
  readonly signal: AbortSignal;
  readonly readServer: HostUi['meaningServer'];
  /** Finds choices among the notes, once it is loaded. Rejects with `not_loaded`. */
  readonly loadChoices: () => Promise<typeof import('./choices.ts')>;
}

/** Codes that mean "this block must not be shown": gone, or hidden from the model. */
const ABSENT = new Set(['not_found', 'no_right', 'bad_id', 'closed_notebook', 'encrypted_notebook']);

interface Question {
  readonly title: string;
  readonly text: string;
  /** The text of the confirming button. */
  readonly action: string;
  readonly cancel: string;
}

/**
 * Asks in a dialog of the host; closing it means no. An abort closes it, since the subject is then over (SiYuan's
 * own `confirm` cannot be closed). Dialogs insert raw HTML, so every text of the content is escaped here.
 */
export function askUser({ siyuan }: PanelHost, question: Question, signal: AbortSignal): Promise<boolean> {
  const [text, action, cancel] = [question.text, question.action, question.cancel].map(escapeHtml);
  return new Promise((resolve) => {
    let answer = false;
    const content = `<div class="b3-dialog__content">${text}</div><div class="b3-dialog__action"><button class="b3-button b3-button--cancel">${cancel}</button><div class="fn__space"></div><button class="b3-button b3-button--text">${action}</button></div>`;
    const onAbort = (): void => dialog.destroy();
    const dialog = openDialog(siyuan, {
      title: question.title,
      content,
      width: 'min(92vw, 420px)',
      destroyCallback: () => {
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      },
    });
    signal.addEventListener('abort', onAbort, { once: true });
    const [no, yes] = dialog.element.querySelectorAll('button');
    no?.addEventListener('click', () => dialog.destroy());
    yes?.addEventListener('click', () => {
      answer = true;
      dialog.destroy();
    });
    // The focus stays in the dialog until it is answered: after the last button it would be nowhere.
    dialog.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Tab') return;
      event.preventDefault();
      (document.activeElement === yes ? no : yes)?.focus();
    });
    yes?.focus();
    if (signal.aborted) dialog.destroy();
  });
}

async function writeClipboard(text: string, html?: string): Promise<boolean> {
  if (!navigator.clipboard) return false;
  try {
    if (html === undefined || !('ClipboardItem' in window)) await navigator.clipboard.writeText(text);
    else {
      const item = { 'text/plain': new Blob([text], { type: 'text/plain' }), 'text/html': new Blob([html], { type: 'text/html' }) };
      await navigator.clipboard.write([new ClipboardItem(item)]);
    }
    return true;
  } catch {
    return false; // The browser refused: the panel says so.
  }
}

/** Resolves when the page has rendered and is idle, after two seconds at the latest: loading then makes nobody wait. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no such callback.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
}

async function readClipboard(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return ''; // Absent on plain http, or the user said no.
  }
}

/** Null if it is gone or may not be read. */
async function readable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ToolError && ABSENT.has(error.code)) return null;
    throw error;
  }
}

/** With the rights of a reading: title, place and text come from what may be read. */
async function previewBlock(
  { notes, readBlock }: { readonly notes: Pick<NoteQueries, 'blockInfo'>; readonly readBlock: Notes['readBlock'] },
  id: string,
  signal: AbortSignal,
): Promise<BlockPreview | null> {
  const block = await readable(readBlock(id, signal));
  if (!block) return null;
  const [info] = await notes.blockInfo([block.document.id], signal);
  const path = info && 'document' in info ? info.document.path : '';
  // The title is on a line of its own.
  const markdown = block.type === 'd' ? block.markdown.slice(block.document.title.length).trimStart() : block.markdown;
  return { title: block.document.title, place: `${block.notebook.name}${path}`, markdown };
}

async function noteTitles(notes: Pick<NoteQueries, 'blockInfo'>, ids: readonly string[], signal: AbortSignal) {
  const found = await notes.blockInfo(ids, signal);
  return new Map(found.flatMap((info): [string, string][] => ('code' in info ? [] : [[info.id, info.document.title]])));
}

async function diagramProgram(kind: 'mermaid' | 'echarts', signal: AbortSignal): Promise<string> {
  const answer = await fetch(`/stage/protyle/js/${kind}/${kind}.min.js`, { signal });
  const text = await answer.text();
  // The host answers an unknown address with a page, or with nothing.
  if (!answer.ok || text.length < 1000 || text.trimStart().startsWith('<')) throw new Error(`no ${kind} in this host`);
  return text;
}

/** What this SiYuan has, and what it does not do for anybody. */
function aboutHost({ host, base, signal, loadChoices }: HostUiDeps): Pick<HostUi, 'report' | 'aiOff' | 'readOnly'> {
  const { config, isPublish } = window.siyuan;
  return {
    report: async () => (await loadChoices()).readHostReport({ host, routes: base.routes, lute: window.Lute, config }, signal),
    aiOff: isAiOff(config),
    readOnly: config?.readonly === true || isPublish === true,
  };
}

/** Notes, files, and pages of PDFs, in a tab of SiYuan. */
function opening(
  { host: { plugin, siyuan }, notes, signal }: { readonly host: PanelHost; readonly notes: NoteQueries; readonly signal: AbortSignal },
  mobile: boolean,
): Pick<HostUi, 'openBlock' | 'openAsset' | 'openPdf'> {
  const { app } = plugin;
  return {
    openBlock(id) {
      if (mobile) siyuan.openMobileFileById(app, id);
      else inBackground(siyuan.openTab({ app, doc: { id, action: ['cb-get-focus', 'cb-get-hl', 'cb-get-context'] } }));
    },
    openAsset(path) {
      if (mobile) window.open(`/${path}`);
      else inBackground(siyuan.openTab({ app, asset: { path } }));
    },
    async openPdf(id, page) {
      const { items } = await notes.assets({ in: id, page: 1, pageSize: 20 }, signal);
      const path = items.find((file) => /\.pdf$/iu.test(file.path))?.path;
      if (path === undefined) return false;
      if (mobile) window.open(`/${path}#page=${page}`);
      else inBackground(siyuan.openTab({ app, pdf: { path, page } }));
      return true;
    },
  };
}

export function createHostUi(deps: HostUiDeps): HostUi {
  const { host, waits, notes: given, today, t, signal, base, loadChoices: choices } = deps;
  const { notes, rights, readBlock, cards } = given;
  const reader = { notes: { notes, rights, readBlock }, t, signal };
  const selected = followSelection(host, document, signal);
  /** Nothing is offered to a chat that it may not read. */
  const finder = async (goesOn = false) => ({ notes: (await deps.projectNotes(goesOn)) ?? notes, host, selected, today, t, signal });
  const mobile = host.siyuan.getFrontend().endsWith('mobile');
  const blockMarkdown = async (id: string): Promise<string | null> => (await readable(readBlock(id, signal)))?.markdown ?? null;
  const ownAttributes = async () => new (await choices()).OwnAttributes(base);
  const ignore = async () => new (await choices()).EmbeddingIgnore(base);
  return {
    mobile,
    ...aboutHost(deps),
    watchWaits: (listener) => waits.subscribe(listener),
    ...opening({ host, notes, signal }, mobile),
    caretBlock: () => caretBlock(host),
    noteInEditor: () => noteInEditor(host),
    findNotes: (words) => findNotes(notes, words, signal),
    findContexts: async (words, goesOn) => (await choices()).findContexts(await finder(goesOn), words),
    relatedContexts: async () => (await choices()).relatedContexts(await finder(true)),
    relatedNotes: async (id) => (await choices()).relatedNotes(await finder(), id),
    meaningServer: deps.readServer,
    embeddingIgnore: {
      plan: async () => (await ignore()).plan(signal),
      write: async (text) => (await ignore()).write({ text }, signal),
      remove: async () => (await ignore()).remove(signal),
    },
    ownAttributes: {
      count: async () => (await ownAttributes()).count(signal),
      remove: async () => (await ownAttributes()).remove(signal),
    },
    cards: { due: (scope) => cards.due(scope, signal), rate: (...rated) => cards.rate(...rated, signal) },
    readContext: async (choice) => (await choices()).readContextChoice(reader, choice),
    readDragged: async (ids) => (await choices()).readDragged(reader, ids),
    openNote: async () => (noteInEditor(host) ? (await choices()).openNote(await finder()) : undefined),
    selection: async () => (noteInEditor(host) ? (await choices()).selection(await finder()) : undefined),
    editorMark: selected.mark,
    readClipboard,
    async confirm(question) {
      const before = document.activeElement;
      const answer = await askUser(host, { ...question, cancel: t('action.cancel') }, signal);
      // A dialog that closes leaves the focus nowhere.
      if (before instanceof HTMLElement) before.focus();
      return answer;
    },
    blockMarkdown,
    preview: (id) => previewBlock({ notes, readBlock }, id, signal),
    noteTitles: (ids) => noteTitles(notes, ids, signal),
    nearestBlock: async (id, words) => (await choices()).nearestBlock(await finder(), id, words),
    writeClipboard,
    drawing: () => loadDrawing(host.siyuan.ProtyleMethod, signal),
    diagramProgram: (kind) => diagramProgram(kind, signal),
    suggestions: async () => {
      await whenIdle();
      const [{ openNote, suggestQuestions }, now] = await Promise.all([choices(), finder()]);
      return suggestQuestions({ notes: now.notes, openNote: () => openNote(now), onlyRead: now.notes !== notes, t }, signal);
    },
  };
}
