import type { ChatDocument, ReadChat, ReadMessage, SaveReport, SaveRequest } from '../../chat/ports/chat-document.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { FormulaCheck } from '../../tools/safe-content/formulas.ts';
import { holdsShownMarkup, plainLabel } from '../../tools/safe-content/normal-text.ts';
import type { Access } from '../access/access.ts';
import { blockId, parseBlock, plainText, type Random, serializeBlock } from '../blocks/block-dom.ts';
import { hashText } from '../blocks/block-hash.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { prepareDocument } from '../documents/document-target.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import type { BlockWriter } from '../transactions/block-writer.ts';
import { chainSteps, type StampedOperation } from '../transactions/plan-steps.ts';
import { runWrites } from '../transactions/write-run.ts';
import { CHAT_ATTRIBUTES, decodeMessage } from './attributes.ts';
import { createMessageBlocks, type MessageBlocks } from './message-blocks.ts';

export interface ChatDocumentDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly reader: NotesReader;
  readonly writer: BlockWriter;
  readonly pushes: TransactionLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
  /** Absent where there is no KaTeX to ask. */
  readonly checkFormula?: FormulaCheck;
}

/** What a user may put messages into: columns, quotes, callouts, lists. */
const CONTAINERS: ReadonlySet<string> = new Set(['s', 'b', 'callout', 'l', 'i']);

interface MessageBlock {
  readonly id: string;
  /** The message's node. */
  readonly node: string;
  readonly attributes: Readonly<Record<string, string>>;
}

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
    // A message that was copied here from another chat's document is none of this one.
    const sessionId = (await this.deps.routes.attributes(place.documentId, signal))[CHAT_ATTRIBUTES.session] ?? messages[0]?.sessionId;
    if (sessionId === undefined) return null;
    return { sessionId, title: place.documentTitle, messages: messages.filter((message) => message.sessionId === sessionId) };
  }

  private async append(request: SaveRequest, signal: AbortSignal): Promise<SaveReport> {
    const { documentId, remove } = await this.openTarget(request, signal);
    const standing = new Set((await this.nodesIn(documentId, signal)).map((each) => each.node));
    // What is missing before a message that stands was deleted in the document, and stays so.
    const missing = request.messages.slice(1 + request.messages.findLastIndex((message) => standing.has(message.nodeId)));
    const written: StampedOperation[] = [];
    const omittedVariables: Record<string, readonly string[]> = {};
    for (const message of missing) {
      const { block, omittedVariables: omitted } = await this.messages.make(message, request, signal);
      written.push({ action: 'insert', blockId: blockId(block), dom: serializeBlock(block), before: null });
      if (omitted.length > 0) omittedVariables[message.nodeId] = omitted;
    }
    if (written.length > 0) {
      const last = (await this.deps.routes.children(documentId, signal)).at(-1)?.id;
      const start = last === undefined ? { parentID: documentId } : { previousID: last };
      const steps = chainSteps(written, documentId, start);
      const outcome = await runWrites(this.deps, { steps, planned: null, remove, position: this.deps.pushes.position(), signal });
      if (outcome.error) throw outcome.error;
    }
    await this.deps.routes.setAttributes(documentId, { [CHAT_ATTRIBUTES.session]: request.sessionId }, signal);
    return { documentId, appended: missing.map((message) => message.nodeId), omittedVariables };
  }

  private async openTarget(
    request: SaveRequest,
    signal: AbortSignal,
  ): Promise<{ documentId: string; remove: { id: string; dom: string } | null }> {
    if ('documentId' in request.target) {
      // A person keeps the chat there by a command of their own: what the model may do in the notebook is another matter.
      const place = await this.deps.access.locate(request.target.documentId, 'read', signal);
      return { documentId: place.documentId, remove: null };
    }
    const { notebook, path: given } = request.target;
    const path = holdsShownMarkup(given) ? plainLabel(given) : given;
    await this.deps.access.requireNotebook(notebook, 'read', signal);
    // The person chose the place: a document that only the model may not see is in their way like any other.
    if ((await this.deps.access.documentsAt(notebook, path, signal)).hidden > 0)
      throw new ToolError('path_exists', `"${path}" already exists`, 'choose another path');
    const maker = await prepareDocument(this.deps, notebook, { kind: 'create', path, operationId: '' }, path, signal);
    const created = await maker.create();
    return { documentId: created.id, remove: created.emptyParagraph };
  }

  /** Messages in the order in which they stand, also those that the user put into another block. */
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
      else if (CONTAINERS.has(child.type)) found.push(...(await this.messagesUnder(child.id, signal)));
    }
    return found;
  }
}

export function createChatDocument(deps: ChatDocumentDeps): ChatDocument {
  return new KernelChatDocument(deps);
}
