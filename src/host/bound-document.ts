import { ToolError } from '../tools/errors.ts';
import type { Clock } from '../tools/ports.ts';
import type { Access } from './access-policy.ts';
import { CHAT_ATTRIBUTES, type DecodedMessage, decodeMessage, encodeMessage, type ProjectedMessage } from './attributes.ts';
import { freshId, parseBlock, plainText, type Random, serializeBlock, timestamp } from './block-dom.ts';
import { hashText } from './block-hash.ts';
import type { BlockWriter } from './block-writer.ts';
import { createContentFilter } from './content-filter.ts';
import { prepareDocument } from './document-target.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import { knownReferences } from './known-references.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import type { NotesReader } from './notes-reader.ts';
import type { PushLog } from './push-log.ts';
import { runWrites, type WriteStep } from './write-run.ts';

export interface ChatDocumentDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly reader: NotesReader;
  readonly writer: BlockWriter;
  readonly pushes: PushLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
}

/** Who speaks, above each message, in the user's language. */
export interface SpeakerLabels {
  readonly user: string;
  readonly assistant: string;
  readonly separator: string;
}

interface SaveRequest {
  /** A document that is there, or where to make one. */
  readonly target: { readonly documentId: string } | { readonly notebook: string; readonly path: string };
  readonly sessionId: string;
  /** From the first to the last of the branch that is shown. */
  readonly messages: readonly ProjectedMessage[];
  readonly labels: SpeakerLabels;
}

interface SaveReport {
  readonly documentId: string;
  /** Nodes that were written now; the others stood there and were left as they are. */
  readonly appended: readonly string[];
  /** Variables whose values did not fit into attributes, by node. */
  readonly omittedVariables: Readonly<Record<string, readonly string[]>>;
}

export interface ReadMessage extends DecodedMessage {
  readonly blockId: string;
  readonly markdown: string;
  /** Somebody edited the message in the document; the session stays the master (FORMATS.md). */
  readonly edited: boolean;
}

export interface ReadChat {
  readonly sessionId: string;
  readonly title: string;
  readonly messages: readonly ReadMessage[];
}

/** A chat kept in a document: the session is the master, the document its projection (FORMATS.md). */
export interface ChatDocument {
  /** Appends what is missing and never rewrites a block. The user asked for it, so no plan is shown; the notebook must be at `write`. */
  save(request: SaveRequest, signal: AbortSignal): Promise<SaveReport>;
  /** Null for a document that holds no chat. Of copied blocks with one node id the first counts. */
  read(documentId: string, signal: AbortSignal): Promise<ReadChat | null>;
}

const ATTR_DIV = '<div class="protyle-attr" contenteditable="false">\u200b</div>';

export function createChatDocument(deps: ChatDocumentDeps): ChatDocument {
  const { routes, access, engine, clock, random } = deps;
  const filter = createContentFilter(deps);

  /** Text that may not be written as blocks is shown as text: saving a chat never fails for what somebody said. */
  async function blocksOf(markdown: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = knownReferences(access, signal);
    try {
      return (await filter.filter({ markdown: markdown.trim() === '' ? '…' : markdown, knownReferences: known })).blocks;
    } catch (error) {
      if (!(error instanceof ToolError) || !['unsafe_markdown', 'empty_text', 'too_large'].includes(error.code)) throw error;
      const longest = Math.max(2, ...[...markdown.matchAll(/`+/g)].map((run) => run[0].length));
      const fence = '`'.repeat(longest + 1);
      return (await filter.filter({ markdown: `${fence}text\n${markdown.slice(0, 300_000)}\n${fence}`, knownReferences: known })).blocks;
    }
  }

  function label(text: string): string {
    const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const open = `<div data-node-id="${freshId(clock, random)}" data-type="NodeParagraph" class="p" updated="${timestamp(clock)}">`;
    return `${open}<div contenteditable="true" spellcheck="false"><span data-type="strong">${plain}</span></div>${ATTR_DIV}</div>`;
  }

  async function stepOf(
    request: SaveRequest,
    message: ProjectedMessage,
    signal: AbortSignal,
  ): Promise<{ step: WriteStep; omitted: readonly string[] }> {
    const id = freshId(clock, random);
    const inner = [label(request.labels[message.role]), ...(await blocksOf(message.markdown, signal))].join('');
    const open = `<div data-node-id="${id}" data-type="NodeSuperBlock" class="sb" data-sb-layout="row" updated="${timestamp(clock)}">`;
    const block = parseBlock(`${open}${inner}${ATTR_DIV}</div>`);
    if (!block) throw new Error('a message did not become one super block');
    const { attributes, omittedVariables } = await encodeMessage(request.sessionId, message, hashText(plainText(block)));
    Object.assign(block.attribs, attributes);
    return { step: { action: 'insert', blockId: id, dom: serializeBlock(block), before: null }, omitted: omittedVariables };
  }

  async function openTarget(
    request: SaveRequest,
    signal: AbortSignal,
  ): Promise<{ documentId: string; remove: { id: string; dom: string } | null }> {
    if ('documentId' in request.target) {
      const place = await access.locate(request.target.documentId, 'write', signal);
      return { documentId: place.documentId, remove: null };
    }
    const { notebook, path } = request.target;
    await access.requireNotebook(notebook, 'write', signal);
    const maker = await prepareDocument(deps, notebook, { kind: 'create', path, operationId: '' }, path, signal);
    const created = await maker.create();
    return { documentId: created.id, remove: created.emptyParagraph };
  }

  async function nodesIn(documentId: string, signal: AbortSignal): Promise<{ id: string; attributes: Readonly<Record<string, string>> }[]> {
    const ids = (await routes.children(documentId, signal)).map((child) => child.id);
    const attributes = await routes.attributesOf(ids, signal);
    const seen = new Set<string>();
    return ids.flatMap((id) => {
      const own = attributes[id] ?? {};
      const node = own[CHAT_ATTRIBUTES.node];
      if (node === undefined || seen.has(node)) return [];
      seen.add(node);
      return [{ id, attributes: own }];
    });
  }

  async function save(request: SaveRequest, signal: AbortSignal): Promise<SaveReport> {
    const { documentId, remove } = await openTarget(request, signal);
    const standing = new Set((await nodesIn(documentId, signal)).map((each) => each.attributes[CHAT_ATTRIBUTES.node]));
    const missing = request.messages.filter((message) => !standing.has(message.nodeId));
    const steps: WriteStep[] = [];
    const omittedVariables: Record<string, readonly string[]> = {};
    for (const message of missing) {
      const { step, omitted } = await stepOf(request, message, signal);
      steps.push(step);
      if (omitted.length > 0) omittedVariables[message.nodeId] = omitted;
    }
    if (steps.length > 0) {
      const last = (await routes.children(documentId, signal)).at(-1)?.id;
      const start = last === undefined ? { parentID: documentId } : { previousID: last };
      const outcome = await runWrites(deps, { steps, start, remove, position: deps.pushes.position(), signal });
      if (outcome.error) throw outcome.error;
    }
    await routes.setAttributes(documentId, { [CHAT_ATTRIBUTES.session]: request.sessionId }, signal);
    return { documentId, appended: missing.map((message) => message.nodeId), omittedVariables };
  }

  async function read(id: string, signal: AbortSignal): Promise<ReadChat | null> {
    const place = await access.locate(id, 'read', signal);
    const nodes = await nodesIn(place.documentId, signal);
    const doms = await routes.doms(
      nodes.map((node) => node.id),
      signal,
    );
    const messages: ReadMessage[] = [];
    for (const node of nodes) {
      const decoded = await decodeMessage(node.attributes);
      const block = parseBlock(doms[node.id] ?? '');
      if (!decoded || !block) continue;
      const edited = decoded.textHash !== '' && decoded.textHash !== hashText(plainText(block));
      messages.push({ ...decoded, blockId: node.id, markdown: engine.toMarkdown(serializeBlock(block)), edited });
    }
    const sessionId = messages[0]?.sessionId ?? (await routes.attributes(place.documentId, signal))[CHAT_ATTRIBUTES.session];
    return sessionId === undefined ? null : { sessionId, title: place.documentTitle, messages };
  }

  return { save: (request, signal) => deps.lock(() => save(request, signal)), read };
}
