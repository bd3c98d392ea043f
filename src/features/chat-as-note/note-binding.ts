import type { ChatDocument, ReadChat, SpeakerLabels } from '../../chat/ports/chat-document.ts';
import type { WhyKeptBack } from '../../chat/ports/kept-back.ts';
import { Lineage, sourcesOfContext, withoutDeleted } from '../../chat/session/lineage.ts';
import { summaryOf } from '../../chat/session/summary.ts';
import type { AttachedContext, Node, Payload, SavedVariable, Session } from '../../chat/session/types.ts';
import { emptySession } from '../../chat/store/turn-log.ts';
import type { ChatSession } from '../../chat/turn/session.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NotesPort, WriteOrigin } from '../../tools/contract/ports.ts';
import { ANSWER_LEFT_OUT, LEFT_OUT, type NoteSource, Withheld } from '../../tools/contract/provenance.ts';
import { sourcesOf } from '../../tools/executor/variable-rights.ts';
import { projectThread, restoreThread } from './projection.ts';

interface NoteContents {
  readonly thread: readonly Node[];
  readonly variables: readonly SavedVariable[];
  /** Other notebooks whose text is included; '' for a notebook that an older version did not record. */
  readonly foreign: readonly string[];
}

/** Written by a model that had seen notes. */
const isWritten = (node: Node): boolean => node.role === 'assistant' || summaryOf(node) !== undefined;

/** `path`: root to leaf, including tombstones. `notebook`: the note's. */
export function noteContents(
  path: readonly Node[],
  variables: readonly SavedVariable[],
  notebook: string,
  withheld: Withheld,
): NoteContents {
  const lineage = new Lineage(path);
  const thread = withoutDeleted(path);
  const byId = new Map(path.map((node) => [node.id, node]));
  const foreign = new Set<string>();
  const others = (sources: readonly NoteSource[]): readonly string[] =>
    sources.map((source) => source.notebook ?? '').filter((id) => id !== notebook);
  for (const node of thread) {
    const sources = isWritten(node) ? lineage.of(node) : (node.context ?? []).flatMap(sourcesOfContext);
    for (const id of others(sources)) foreign.add(id);
  }
  const isOwn = (variable: SavedVariable): boolean => {
    const node = variable.node === undefined ? undefined : byId.get(variable.node);
    const written = node ? lineage.of(node) : [];
    return others([...sourcesOf(variable), ...written]).length === 0 && !withheld.holds([...sourcesOf(variable), ...written]);
  };
  return {
    thread: thread.map((node) => released(node, lineage, withheld)),
    variables: variables.map((variable) => (isOwn(variable) ? variable : { ...variable, notebooks: [...(variable.notebooks ?? []), ''] })),
    foreign: [...foreign],
  };
}

/** Removes everything that may not be read now, also from the invisible attributes of the note. */
function released(node: Node, lineage: Lineage, withheld: Withheld): Node {
  const payload = node.versions[node.currentVersionId];
  if (withheld.empty || !payload) return node;
  const context = node.context?.map((one) => (withheld.holds(sourcesOfContext(one)) ? leftOut(one) : one));
  const hidden = isWritten(node) && lineage.isWithheld(node, payload, withheld);
  const version = hidden ? withoutText(payload) : payload;
  return { ...node, ...(context ? { context } : {}), versions: { ...node.versions, [payload.id]: version } };
}

/** Keeps only where the context came from: any other field may contain its text, including fields of later versions. */
function leftOut({ contextId, kind, id, sources }: AttachedContext): AttachedContext {
  return { contextId, kind, id, title: '', text: LEFT_OUT, sources };
}

function withoutText({ id, author, created, status, isPrivate }: Payload): Payload {
  const origin = isPrivate === undefined ? {} : { isPrivate };
  return { id, author, created, status, ...origin, message: { role: 'assistant', content: ANSWER_LEFT_OUT } };
}

export interface BoundDocumentDeps {
  readonly chatDocument?: ChatDocument;
  readonly notes: Pick<NotesPort, 'document' | 'notebooks'>;
  /** Distinguishes a note that is hidden from the model from a deleted one. Default: nothing is hidden. */
  readonly whyKeptBack?: WhyKeptBack;
  /** Labels for speaker and time, in the user's language. Default: English. */
  readonly labels?: () => SpeakerLabels;
  readonly newId: () => string;
}

const ENGLISH: SpeakerLabels = {
  user: 'You',
  assistant: 'Assistant',
  separator: '—',
  summary: 'Summary',
  at: (time) => new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
};

/** Represents the chat's note in the write journal, where a message's writes have its node id. */
export const NOTE_NODE = 'note';

function required(deps: BoundDocumentDeps): ChatDocument {
  if (deps.chatDocument) return deps.chatDocument;
  throw new ToolError('no_documents', 'chats cannot be kept in notes here', 'open the chat in SiYuan');
}

async function notebookOf(deps: BoundDocumentDeps, documentId: string, signal: AbortSignal): Promise<string> {
  return (await deps.notes.document({ id: documentId }, { start: 0, blocks: 1 }, signal)).notebook.id;
}

const KEPT_BACK = new ToolError('no_right', 'the note of this chat is kept from the assistant', 'change the access to it, then save again');

/** null: there is no such document. Throws KEPT_BACK if it may not be read. */
async function findNotebook(deps: BoundDocumentDeps, documentId: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await notebookOf(deps, documentId, signal);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'not_found') throw error;
    if (await deps.whyKeptBack?.(documentId, signal)) throw KEPT_BACK;
    return null;
  }
}

export interface NoteLocation {
  readonly notebook: string;
  readonly path: string;
  readonly withOthers?: boolean;
}

/** Text of another notebook is written into the note only if the user allowed it. Rejects with `note_others`. */
async function letIn(
  deps: BoundDocumentDeps,
  session: ChatSession,
  foreign: readonly string[],
  withOthers: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { noteNotebooks: known = [] } = session.snapshot();
  const news = foreign.filter((id) => !known.includes(id));
  if (news.length === 0) return;
  if (withOthers) return session.change({ noteNotebooks: [...known, ...news] });
  const books = await deps.notes.notebooks(signal);
  const names = news.flatMap((id) => books.find((book) => book.id === id)?.name ?? []);
  const what = names.length > 0 ? names.map((name) => `“${name}”`).join(', ') : 'another notebook';
  throw new ToolError(
    'note_others',
    `the chat contains text from ${what}`,
    'include it where you save the note, or save the chat in that notebook',
  );
}

/** Saves new messages after a turn; into a hidden note nothing is saved, without a notice. Otherwise like `saveToDocument`. */
export async function saveWhatIsNew(deps: BoundDocumentDeps, session: ChatSession, signal: AbortSignal): Promise<void> {
  try {
    await saveToDocument(deps, session, null, signal);
  } catch (error) {
    if (error !== KEPT_BACK) throw error;
  }
}

/** Saves the chat into its document, or a new one at `place`, never rewriting; a deleted one is reported once (`note_gone`). */
export async function saveToDocument(
  deps: BoundDocumentDeps,
  session: ChatSession,
  place: NoteLocation | null,
  signal: AbortSignal,
): Promise<void> {
  const chatDocument = required(deps);
  const { boundDocument, noteGone } = session;
  const home = boundDocument === undefined ? null : await findNotebook(deps, boundDocument, signal);
  session.noteGone = boundDocument !== undefined && home === null;
  if (session.noteGone && !noteGone) throw new ToolError('note_gone', 'the note of this chat is gone', 'save the chat as a note again');
  const target = boundDocument !== undefined && home !== null ? { documentId: boundDocument } : place;
  if (!target) return;
  const notebook = home ?? place?.notebook ?? '';
  const finished = session.tree.path(session.tree.leaf).filter((node) => node.id !== session.live?.nodeId);
  const { rights, varSystem } = session.executor;
  const withheld = await Withheld.ask(rights, new Lineage(finished).sources, signal);
  const contents = noteContents(finished, varSystem.save(), notebook, withheld);
  await letIn(deps, session, contents.foreign, place?.withOthers ?? false, signal);
  const messages = projectThread(contents.thread, contents.variables, notebook);
  if (messages.length === 0) throw new ToolError('empty_chat', 'this chat has no messages yet', 'ask something first');
  const labels = (deps.labels ?? (() => ENGLISH))();
  // Later automatic saves are undone together with it.
  const callId = place ? deps.newId() : session.savedNote;
  const origin: WriteOrigin | undefined = callId === undefined ? undefined : { sessionId: session.id, nodeId: NOTE_NODE, callId };
  const request = { target, sessionId: session.id, project: session.projectId, messages, labels, origin };
  const report = await chatDocument.save(request, signal);
  session.noteGone = false;
  const savedNote = report.appended.length > 0 ? callId : session.savedNote;
  if (report.documentId !== boundDocument || savedNote !== session.savedNote)
    await session.change({ boundDocument: report.documentId, savedNote });
  if (place) await lookIntoNote(deps, session, signal);
}

/** The messages that were edited in the note; empty if it cannot be read now: the next save reports why. */
export async function lookIntoNote(deps: BoundDocumentDeps, session: ChatSession, signal: AbortSignal): Promise<void> {
  const { boundDocument, id } = session;
  if (boundDocument === undefined || !deps.chatDocument) return;
  const found = await deps.chatDocument.read(boundDocument, signal).catch(() => null);
  const edited = found?.sessionId === id ? found.messages.filter((message) => message.edited) : [];
  session.noteEdits = Object.fromEntries(edited.map(({ nodeId, blockId }) => [nodeId, blockId]));
}

export interface DocumentChat {
  readonly sessionId: string;
  /** The chat as restored from the document, for a storage that lacks it. */
  readonly restored: Session;
  readonly missingVariables: readonly string[];
}

/** Reads the chat in a document. Rejects with ToolError `no_chat` if there is none. */
export async function readFromDocument(
  deps: BoundDocumentDeps,
  documentId: string,
  mark: Node['changed'],
  signal: AbortSignal,
): Promise<DocumentChat> {
  const found: ReadChat | null = await required(deps).read(documentId, signal);
  if (!found) throw new ToolError('no_chat', 'there is no chat in this document', 'open a document that a chat was saved to');
  const notebook = await notebookOf(deps, documentId, signal);
  const { variables, missing, ...tree } = restoreThread(found.messages, notebook, mark);
  const head = emptySession({ id: found.sessionId, title: found.title, created: mark.time, project: found.project });
  return { sessionId: found.sessionId, restored: { ...head, ...tree, variables, boundDocument: documentId }, missingVariables: missing };
}
