import { ToolError } from '../tools/contract/errors.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import { isDrawn } from '../ui/controls/is-drawn.ts';
import type { NoteChoice } from '../ui/ports/host-ui.ts';
import type { PanelHost } from './panel-host.ts';

const LIMIT = 20;
/** Days that are searched for recently changed notes. */
const RECENT = 90;

type Siyuan = Pick<PanelHost, 'siyuan'>;

/** The last used editor. The host returns the one with the selection, which may be behind another tab by now. */
export function editorInUse({ siyuan }: Siyuan): ReturnType<PanelHost['siyuan']['getActiveEditor']> {
  const isSeen = (editor: { readonly protyle: { readonly element: Element } }): boolean => isDrawn(editor.protyle.element);
  const active = siyuan.getActiveEditor(false);
  if (active && isSeen(active)) return active;
  const all = siyuan.getAllEditor();
  const seen = all.filter(isSeen);
  return seen.find(({ protyle }) => protyle.element.closest('.layout__wnd--active')) ?? seen[0] ?? active ?? all[0];
}

/** The note in the last used editor; undefined if none is open. */
export function noteInEditor(host: Siyuan): NoteChoice | undefined {
  const editor = editorInUse(host);
  const id = editor?.protyle.block.rootID;
  if (!id) return undefined;
  return { id, title: editor.protyle.title?.editElement?.textContent?.trim() ?? '', place: '' };
}

/** The block with the caret, or the one that had it before the panel was used. */
export const caretBlock = (host: Siyuan): string | undefined => caretElement(host)?.getAttribute('data-node-id') ?? undefined;

/** Its element in the editor. */
export function caretElement(host: Siyuan): HTMLElement | undefined {
  const protyle = editorInUse(host)?.protyle;
  const range = protyle?.toolbar?.range;
  const text = protyle?.wysiwyg?.element;
  if (!range || !text?.contains(range.startContainer)) return undefined;
  const { startContainer: at } = range;
  return (at instanceof Element ? at : at.parentElement)?.closest<HTMLElement>('[data-node-id]') ?? undefined;
}

/** Notes whose title has any of the words, best first; without words, those changed last. Rejects with ToolError if they cannot be read. */
export async function findNotes(notes: Pick<NotesPort, 'notebooks' | 'search' | 'recentDocuments'>, words: string, signal: AbortSignal) {
  if (words === '') {
    const { documents } = await notes.recentDocuments({ days: RECENT, limit: LIMIT }, signal);
    return documents.map(({ id, title, path, notebook }): NoteChoice => ({ id, title, place: `${notebook.name}${path}` }));
  }
  const names = new Map((await notes.notebooks(signal)).map(({ id, name }) => [id, name]));
  try {
    const page = await notes.search({ query: words, mode: 'relevance', types: ['d'], page: 1, pageSize: LIMIT }, signal);
    const found = page.matches.map(
      ({ documentId, documentTitle, path, notebook }): NoteChoice => ({
        id: documentId,
        title: documentTitle,
        place: `${names.get(notebook) ?? ''}${path}`,
      }),
    );
    // "reading" finds "Books to read", too, but means "Reading notes".
    const typed = words.trim().toLowerCase();
    const hasTyped = ({ title }: NoteChoice): boolean => title.toLowerCase().includes(typed);
    return [...found.filter(hasTyped), ...found.filter((each) => !hasTyped(each))];
  } catch (error) {
    // Signs alone are no words to search for.
    if (error instanceof ToolError && (error.code === 'empty_text' || error.code === 'bad_arguments')) return [];
    throw error;
  }
}
