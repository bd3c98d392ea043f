import type { IProtyle } from 'siyuan';
import { inBackground } from '../../tools/util/notify.ts';
import { isDrawn } from '../../ui/controls/is-drawn.ts';
import type { PanelHost } from '../panel-host.ts';
import { wordsOfBlock } from './selected-text.ts';

/** How long an editor that was just opened may take to show its document, in milliseconds. */
const OPENING_MS = 5000;
const POLL_MS = 100;

export const isMobile = ({ siyuan }: PanelHost): boolean => siyuan.getFrontend().endsWith('mobile');

/** Null while the editor does not show it. */
export const blockIn = (protyle: IProtyle, id: string): HTMLElement | null =>
  protyle.wysiwyg?.element.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`) ?? null;

/** Ids of the containers of a block, innermost first. */
export function containersOf(protyle: IProtyle | undefined, id: string): string[] {
  const ids: string[] = [];
  let element = protyle ? (blockIn(protyle, id)?.parentElement ?? null) : null;
  for (; element && !element.classList.contains('protyle-wysiwyg'); element = element.parentElement) {
    const container = element.getAttribute('data-node-id');
    if (container) ids.push(container);
  }
  return ids;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const editorOf = ({ siyuan }: PanelHost, document: string): IProtyle | undefined =>
  siyuan.getAllEditor().find(({ protyle }) => protyle.block.rootID === document && protyle.element.isConnected)?.protyle;

/** The editor that shows a document, opened if there is none; undefined if none shows it in time. */
export async function editorFor(host: PanelHost, document: string, signal: AbortSignal): Promise<IProtyle | undefined> {
  const open = editorOf(host, document);
  if (open && isDrawn(open.element)) return open;
  // An open tab in the background comes to the front this way too.
  if (isMobile(host)) host.siyuan.openMobileFileById(host.plugin.app, document);
  else inBackground(host.siyuan.openTab({ app: host.plugin.app, doc: { id: document } }));
  for (let waited = 0; waited < OPENING_MS && !signal.aborted; waited += POLL_MS) {
    const editor = editorOf(host, document);
    if (editor?.wysiwyg?.element.querySelector('[data-node-id]') && isDrawn(editor.element)) return editor;
    await pause(POLL_MS);
  }
  return undefined;
}

const SETTLE_MS = 3000;

/**
 * Waits until the kernel has the editor's current text: the last typed text, and the removal of the slash command,
 * arrive a moment later. Continues after three seconds, since some blocks are stored differently than they are shown.
 */
export async function whenSaved(
  protyle: IProtyle | undefined,
  ids: readonly string[],
  domOf: (id: string, signal: AbortSignal) => Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  const parser = new DOMParser();
  const saved = (dom: string): string => wordsOfBlock(parser.parseFromString(dom, 'text/html').body);
  for (let waited = 0; protyle && waited < SETTLE_MS && !signal.aborted; waited += POLL_MS) {
    const same = await Promise.all(
      ids.map(async (id) => {
        const shown = blockIn(protyle, id);
        return !shown || saved(await domOf(id, signal)) === wordsOfBlock(shown);
      }),
    );
    if (same.every(Boolean)) return;
    await pause(POLL_MS);
  }
}
