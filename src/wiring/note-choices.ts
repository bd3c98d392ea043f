import { ToolError } from '../tools/contract/errors.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import type { NoteChoice } from '../ui/ports/host-ui.ts';
import type { PanelHost } from './panel-host.ts';

const LIMIT = 20;
/** Days that are looked back for notes changed last. */
const RECENT = 90;

/** The note in the editor that was used last; undefined where none is open. */
export function noteInEditor({ siyuan }: Pick<PanelHost, 'siyuan'>): NoteChoice | undefined {
  const editor = siyuan.getActiveEditor(false) ?? siyuan.getAllEditor()[0];
  const id = editor?.protyle.block.rootID;
  if (!id) return undefined;
  return { id, title: editor.protyle.title?.editElement?.textContent?.trim() ?? '', place: '' };
}

/** The block that holds the caret, or held it before the panel was used. */
export function caretBlock({ siyuan }: Pick<PanelHost, 'siyuan'>): string | undefined {
  const protyle = siyuan.getActiveEditor(false)?.protyle;
  const range = protyle?.toolbar?.range;
  const text = protyle?.wysiwyg?.element;
  if (!range || !text?.contains(range.startContainer)) return undefined;
  const { startContainer: at } = range;
  const block = (at instanceof Element ? at : at.parentElement)?.closest('[data-node-id]');
  return block?.getAttribute('data-node-id') ?? undefined;
}

interface Selected {
  readonly id: string;
  readonly text: string;
  /** Every block that the selection touches: it may hold words of each of them. */
  readonly blocks: readonly string[];
}

/** What is selected in the editor that was used last, with its block; undefined where nothing is. */
export function selectionInEditor({ siyuan }: Pick<PanelHost, 'siyuan'>): Selected | undefined {
  const protyle = siyuan.getActiveEditor(false)?.protyle;
  const range = protyle?.toolbar?.range;
  const text = range?.toString().replaceAll('\u200b', '').trim() ?? '';
  const id = caretBlock({ siyuan });
  if (!range || id === undefined || text === '') return undefined;
  const touched = [...(protyle?.wysiwyg?.element.querySelectorAll('[data-node-id]') ?? [])].filter((block) => range.intersectsNode(block));
  // A block in a container has the rights of the container, too.
  const leaves = touched.filter((block) => !touched.some((other) => other !== block && block.contains(other)));
  const blocks = leaves.flatMap((block) => block.getAttribute('data-node-id') ?? []);
  return { id, text, blocks: [...new Set([id, ...blocks])] };
}

/** Notes whose title has the words, or without words those changed last. Rejects with ToolError where they cannot be read. */
export async function findNotes(notes: Pick<NotesPort, 'notebooks' | 'search' | 'recentDocuments'>, words: string, signal: AbortSignal) {
  if (words === '') {
    const { documents } = await notes.recentDocuments({ days: RECENT, limit: LIMIT }, signal);
    return documents.map(({ id, title, path, notebook }): NoteChoice => ({ id, title, place: `${notebook.name}${path}` }));
  }
  const names = new Map((await notes.notebooks(signal)).map(({ id, name }) => [id, name]));
  try {
    const page = await notes.search({ query: words, mode: 'keyword', types: ['d'], page: 1, pageSize: LIMIT }, signal);
    return page.hits.map(
      ({ documentId, documentTitle, path, notebook }): NoteChoice => ({
        id: documentId,
        title: documentTitle,
        place: `${names.get(notebook) ?? ''}${path}`,
      }),
    );
  } catch (error) {
    // Signs alone are no words to search for.
    if (error instanceof ToolError && (error.code === 'empty_text' || error.code === 'bad_arguments')) return [];
    throw error;
  }
}
