import type {
  ChatDocument,
  ProjectedMessage,
  ReadChat,
  ReadMessage,
  SaveReport,
  SaveRequest,
  SpeakerLabels,
} from '../../chat/ports/chat-document.ts';
import { isContainer } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { holdsMarkup, holdsShownMarkup, plainLabel } from '../../tools/safe-content/normal-text.ts';
import type { Access } from '../access/access.ts';
import { knownReferences } from '../access/known-references.ts';
import { type BlockElement, blockId, childBlocks, freshId, parseBlock, plainText, serializeBlock, timestamp } from '../blocks/block-dom.ts';
import { hashText } from '../blocks/block-hash.ts';
import { SOURCE_ATTRIBUTE } from '../blocks/source-attributes.ts';
import { type ContentFilter, type ContentFilterDeps, createContentFilter } from '../content/content-filter.ts';
import { type CreatedDocument, type DocumentMaker, prepareDocument } from '../documents/document-target.ts';
import type { JournalEntry, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import type { BlockWriter } from '../transactions/block-writer.ts';
import { chainSteps, type StampedOperation } from '../transactions/plan-steps.ts';
import { type RunOutcome, runWrites } from '../transactions/write-run.ts';
import { closedEntry, journaled } from '../writing/write-entry.ts';
import type { WritePathDeps } from '../writing/write-path.ts';
import { CHAT_ATTRIBUTES, decodeMessage, encodeMessage } from './attributes.ts';

interface MessageBlocksDeps extends ContentFilterDeps {
  readonly access: Access;
}

interface NewMessageBlock {
  readonly block: BlockElement;
  readonly omittedVariables: readonly string[];
}

/** A chat message as one super block: the speaker, the text, and attributes from which the message can be restored. */
interface MessageBlocks {
  make(
    message: ProjectedMessage,
    chat: { readonly sessionId: string; readonly labels: SpeakerLabels },
    signal: AbortSignal,
  ): Promise<NewMessageBlock>;
}

const ATTR_DIV = '<div class="protyle-attr" contenteditable="false">\u200b</div>';

function asText(words: string): string {
  return (holdsMarkup(words) ? plainLabel(words) : words).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

class FilteredMessageBlocks implements MessageBlocks {
  private readonly deps: MessageBlocksDeps;
  private readonly filter: ContentFilter;

  constructor(deps: MessageBlocksDeps) {
    this.deps = deps;
    this.filter = createContentFilter(deps);
  }

  async make(
    message: ProjectedMessage,
    chat: { readonly sessionId: string; readonly labels: SpeakerLabels },
    signal: AbortSignal,
  ): Promise<NewMessageBlock> {
    const { clock, random } = this.deps;
    const id = freshId(clock, random);
    const inner = [this.head(message, chat.labels), ...(await this.blocksOf(message.markdown, signal))].join('');
    const open = `<div data-node-id="${id}" data-type="NodeSuperBlock" class="sb" data-sb-layout="row" updated="${timestamp(clock)}">`;
    const block = parseBlock(`${open}${inner}${ATTR_DIV}</div>`);
    if (!block) throw new Error('a message did not become one super block');
    // As whatever else a model writes: all below the line with the speaker.
    const byModel = message.role === 'assistant' || message.label === 'summary' ? childBlocks(block).slice(1) : [];
    for (const each of byModel) each.attribs[SOURCE_ATTRIBUTE] = `${chat.sessionId}/${message.nodeId}/note`;
    const { attributes, omittedVariables } = await encodeMessage(chat.sessionId, message, hashText(plainText(block)));
    Object.assign(block.attribs, attributes);
    return { block, omittedVariables };
  }

  /** Text that may not be written as blocks is shown as plain text: saving a chat never fails because of its content. */
  private async blocksOf(markdown: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = knownReferences(this.deps.access, signal);
    try {
      return (await this.filter.filter({ markdown: markdown.trim() === '' ? '…' : markdown, knownReferences: known })).blocks;
    } catch (error) {
      if (!(error instanceof ToolError) || !['unsafe_markdown', 'empty_text', 'too_large'].includes(error.code)) throw error;
      const longest = Math.max(2, ...[...markdown.matchAll(/`+/g)].map((run) => run[0].length));
      const fence = '`'.repeat(longest + 1);
      return (await this.filter.filter({ markdown: `${fence}text\n${markdown.slice(0, 300_000)}\n${fence}`, knownReferences: known }))
        .blocks;
    }
  }

  private head({ label, role, time }: ProjectedMessage, labels: SpeakerLabels): string {
    const who = asText(labels[label ?? role]);
    const when = time === undefined || role === 'separator' ? '' : ` · ${asText(labels.at(time))}`;
    const { clock, random } = this.deps;
    const open = `<div data-node-id="${freshId(clock, random)}" data-type="NodeParagraph" class="p" updated="${timestamp(clock)}">`;
    return `${open}<div contenteditable="true" spellcheck="false"><span data-type="strong">${who}</span>${when}</div>${ATTR_DIV}</div>`;
  }
}

function createMessageBlocks(deps: MessageBlocksDeps): MessageBlocks {
  return new FilteredMessageBlocks(deps);
}

export interface ChatDocumentDeps extends MessageBlocksDeps {
  readonly routes: KernelRoutes;
  readonly reader: NotesReader;
  readonly writer: BlockWriter;
  readonly pushes: TransactionLog;
  readonly journal: WriteJournal;
  readonly lock: WritePathDeps['lock'];
}

interface MessageBlock {
  readonly id: string;
  readonly node: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** An existing document, or how to create one. */
interface Target {
  readonly documentId: string | null;
  readonly notebook: string;
  readonly path: string;
  readonly maker: DocumentMaker | null;
}

const documentOf = ({ id, parents, baseline }: CreatedDocument, path: string): JournalEntry['document'] => ({
  id,
  path,
  created: { parents: [...parents], baseline: [...baseline] },
});

class KernelChatDocument implements ChatDocument {
  private readonly deps: ChatDocumentDeps;
  private readonly messages: MessageBlocks;

  constructor(deps: ChatDocumentDeps) {
    this.deps = deps;
    this.messages = createMessageBlocks(deps);
  }

  save(request: SaveRequest, signal: AbortSignal): Promise<SaveReport> {
    return this.deps.lock(() => this.append(request, signal));
  }

  async read(id: string, signal: AbortSignal): Promise<ReadChat | null> {
    const place = await this.deps.access.locate(id, 'read', signal);
    const nodes = await this.nodesIn(place.documentId, signal);
    const doms = await this.deps.routes.doms(
      nodes.map((node) => node.id),
      signal,
    );
    const messages: ReadMessage[] = [];
    for (const node of nodes) {
      const decoded = await decodeMessage(node.attributes);
      const block = parseBlock(doms[node.id] ?? '');
      if (!decoded || !block) continue;
      const edited = decoded.textHash !== '' && decoded.textHash !== hashText(plainText(block));
      messages.push({ ...decoded, blockId: node.id, markdown: this.deps.engine.toMarkdown(serializeBlock(block)), edited });
    }
    // A message copied here from another chat's document does not belong to this chat.
    const own = await this.deps.routes.attributes(place.documentId, signal);
    const sessionId = own[CHAT_ATTRIBUTES.session] ?? messages[0]?.sessionId;
    if (sessionId === undefined) return null;
    const ofChat = messages.filter((message) => message.sessionId === sessionId);
    return { sessionId, project: own[CHAT_ATTRIBUTES.project], title: place.documentTitle, messages: ofChat };
  }

  private async append(request: SaveRequest, signal: AbortSignal): Promise<SaveReport> {
    const target = await this.openTarget(request, signal);
    const savedIds = new Set(target.documentId === null ? [] : (await this.nodesIn(target.documentId, signal)).map((each) => each.node));
    // A message missing before an existing one was deleted in the document, and stays deleted.
    const missing = request.messages.slice(1 + request.messages.findLastIndex((message) => savedIds.has(message.nodeId)));
    const written: StampedOperation[] = [];
    const omittedVariables: Record<string, readonly string[]> = {};
    for (const message of missing) {
      const { block, omittedVariables: omitted } = await this.messages.make(message, request, signal);
      written.push({ action: 'insert', blockId: blockId(block), dom: serializeBlock(block), before: null });
      if (omitted.length > 0) omittedVariables[message.nodeId] = omitted;
    }
    const documentId = await this.write(target, written, request, signal);
    await this.deps.routes.setAttributes(documentId, { [CHAT_ATTRIBUTES.session]: request.sessionId, ...ofProject(request) }, signal);
    return { documentId, appended: missing.map((message) => message.nodeId), omittedVariables };
  }

  /** Writes into the document, or into a new one; journaled first where it can be undone. Returns the document's id. */
  private async write(target: Target, written: StampedOperation[], { origin }: SaveRequest, signal: AbortSignal): Promise<string> {
    const { clock, journal, routes, pushes } = this.deps;
    if (target.documentId !== null && written.length === 0) return target.documentId;
    const intent: JournalEntry | undefined = origin && {
      ...{ schema: 1, ...origin, tool: 'save_note', time: clock.now(), state: 'intent', notebook: target.notebook },
      document: { id: target.documentId, path: target.path, created: null },
      operations: written.map(journaled),
    };
    let record = intent && (await journal.begin(intent));
    const created = target.maker && (await target.maker.create());
    if (record && created) record = await journal.update(record, { ...record.entry, document: documentOf(created, target.path) });
    const documentId = created?.id ?? target.documentId;
    if (documentId === null || documentId === undefined) throw new Error('there is neither a document nor a way to make it');
    const last = (await routes.children(documentId, signal)).at(-1)?.id;
    const start = last === undefined ? { parentID: documentId } : { previousID: last };
    const steps = chainSteps(written, documentId, start);
    const remove = created?.emptyParagraph ?? null;
    const outcome = await runWrites(this.deps, { steps, planned: null, remove, position: pushes.position(), signal });
    if (record) await this.close(record, outcome);
    if (outcome.error) throw outcome.error;
    return documentId;
  }

  /** A lost answer is no reason to fail: an intent is enough for Undo. */
  private async close(record: JournalRecord, outcome: RunOutcome): Promise<void> {
    const entry = closedEntry(record.entry, outcome);
    await this.deps.journal
      .update(record, entry)
      .catch(() => this.deps.journal.update(record, entry))
      .catch(() => undefined);
  }

  private async openTarget(request: SaveRequest, signal: AbortSignal): Promise<Target> {
    if ('documentId' in request.target) {
      // The person binds the chat there with an explicit command: the model's right in the notebook does not matter.
      const { documentId, notebook, documentPath } = await this.deps.access.locate(request.target.documentId, 'read', signal);
      return { documentId, notebook: notebook.id, path: documentPath, maker: null };
    }
    const { notebook, path: given } = request.target;
    const path = holdsShownMarkup(given) ? plainLabel(given) : given;
    await this.deps.access.requireNotebook(notebook, 'read', signal);
    // The person chose the path: a document that is hidden from the model only is in their way like any other.
    if ((await this.deps.access.documentsAt(notebook, path, signal)).hidden > 0)
      throw new ToolError('path_exists', `"${path}" already exists`, 'choose another path');
    const maker = await prepareDocument(this.deps, notebook, { kind: 'create', path, operationId: '' }, path, signal);
    return { documentId: null, notebook, path, maker };
  }

  /** Messages in document order, including those that the user moved into another block. */
  private async nodesIn(documentId: string, signal: AbortSignal): Promise<MessageBlock[]> {
    const seen = new Set<string>();
    return (await this.messagesUnder(documentId, signal)).filter(({ node }) => !seen.has(node) && seen.add(node));
  }

  private async messagesUnder(id: string, signal: AbortSignal): Promise<MessageBlock[]> {
    const children = await this.deps.routes.children(id, signal);
    const ids = children.map((child) => child.id);
    const attributes = await this.deps.routes.attributesOf(ids, signal);
    const found: MessageBlock[] = [];
    for (const child of children) {
      const own = attributes[child.id] ?? {};
      const node = own[CHAT_ATTRIBUTES.node];
      if (node !== undefined) found.push({ id: child.id, node, attributes: own });
      // A user may put messages into columns, quotes, callouts, lists, tabs.
      else if (isContainer(child.type)) found.push(...(await this.messagesUnder(child.id, signal)));
    }
    return found;
  }
}

const ofProject = ({ project }: SaveRequest): Readonly<Record<string, string>> =>
  project === undefined ? {} : { [CHAT_ATTRIBUTES.project]: project };

export function createChatDocument(deps: ChatDocumentDeps): ChatDocument {
  return new KernelChatDocument(deps);
}
