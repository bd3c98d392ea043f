import type { ChatContext } from '../chat/types.ts';
import type { ChatController } from '../chat/view.ts';
import type { NotesHost } from '../host/notes-host.ts';
import type { Translate } from '../ui/i18n.ts';
import type { EditorRequest } from './panel-host.ts';

export interface EditorRequestParts {
  readonly controller: ChatController;
  readonly notesHost: NotesHost;
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** Blocks of a document that go along with a question; the model reads on by itself. */
const CONTEXT_BLOCKS = 20;
const TITLE_LENGTH = 40;

async function documentContext({ notesHost, t, signal }: EditorRequestParts, id: string): Promise<ChatContext> {
  const reading = await notesHost.notes.document({ id }, { start: 0, blocks: CONTEXT_BLOCKS }, signal);
  const head = t('context.document', { title: reading.title, id: reading.id, notebook: reading.notebook.name });
  return {
    kind: 'document',
    id: reading.id,
    title: reading.title,
    text: `${head}\n\n${reading.blocks.map((block) => block.markdown).join('\n\n')}`,
  };
}

async function blockContext({ notesHost, signal }: EditorRequestParts, id: string): Promise<ChatContext> {
  const block = await notesHost.readBlock(id, signal);
  const words = block.markdown.replace(/\s+/g, ' ').trim();
  const title = words.length > TITLE_LENGTH ? `${words.slice(0, TITLE_LENGTH)}…` : words || block.document.title;
  return { kind: 'block', id, title, text: block.markdown };
}

/** A question that starts in the editor: attaches what it is about; `/summarize` is sent at once. Rejects with ToolError. */
export async function handleEditorRequest(parts: EditorRequestParts, { action, kind, id }: EditorRequest): Promise<void> {
  if (action === 'open-chat') return parts.controller.openFromDocument(id);
  const context = kind === 'document' ? await documentContext(parts, id) : await blockContext(parts, id);
  parts.controller.addContext(context);
  if (action === 'summarize') await parts.controller.send(parts.t('prompt.summarize', { title: context.title }));
}
