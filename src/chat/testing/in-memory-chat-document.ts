import { decodeMessage, encodeMessage } from '../../host/chat-document/attributes.ts';
import type { ChatDocument, ReadMessage } from '../ports/chat-document.ts';

interface StoredMessage {
  readonly attributes: Readonly<Record<string, string>>;
  /** With "(edited)" at its end it counts as edited. */
  markdown: string;
}

export interface MemoryChatDocument extends ChatDocument {
  readonly documents: Map<string, StoredMessage[]>;
}

/** Stores messages like the host, in packed attributes, without blocks. Ids of documents count up: 20260102000000-000doc1, … */
export function createMemoryChatDocument(): MemoryChatDocument {
  const documents = new Map<string, StoredMessage[]>();
  return {
    documents,
    async save(request) {
      const made = 'documentId' in request.target ? request.target.documentId : `20260102000000-000doc${documents.size + 1}`;
      const stored = documents.get(made) ?? [];
      const savedIds = new Set((await Promise.all(stored.map((one) => decodeMessage(one.attributes)))).map((one) => one?.nodeId));
      const appended: string[] = [];
      const omittedVariables: Record<string, readonly string[]> = {};
      const last = request.messages.findLastIndex((one) => savedIds.has(one.nodeId));
      for (const message of request.messages.slice(last + 1)) {
        const encoded = await encodeMessage(request.sessionId, message, 'hash');
        stored.push({ attributes: encoded.attributes, markdown: message.markdown });
        appended.push(message.nodeId);
        if (encoded.omittedVariables.length > 0) omittedVariables[message.nodeId] = encoded.omittedVariables;
      }
      documents.set(made, stored);
      return { documentId: made, appended, omittedVariables };
    },
    async read(documentId) {
      const messages: ReadMessage[] = [];
      for (const { attributes, markdown } of documents.get(documentId) ?? []) {
        const decoded = await decodeMessage(attributes);
        if (decoded) messages.push({ ...decoded, markdown, blockId: `block-${decoded.nodeId}`, edited: markdown.endsWith('(edited)') });
      }
      const [first] = messages;
      return first ? { sessionId: first.sessionId, title: 'From a document', messages } : null;
    },
  };
}
