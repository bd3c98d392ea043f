import type { CallToolResult } from '@modelcontextprotocol/server';
import { type CallEnd, type LinkedBlock, pendingText } from '../../../tools/calls/outside-calls.ts';
import { PENDING_CHANGE } from './tool-list.ts';

/** So that a search through a large notebook stays an answer. */
const MAX_LINKS = 20;

export const blockUri = (id: string): string => `siyuan://blocks/${id}`;

const linkTo = ({ id, name }: LinkedBlock) => ({ type: 'resource_link' as const, uri: blockUri(id), name, mimeType: 'text/markdown' });

/**
 * A call that has ended: its text, where its blocks are, and what a program reads of it. Some programs give their model the structured
 * content alone, so it has the whole text, or is absent where it would add nothing.
 */
export function resultView({ status, text, links, written }: CallEnd): CallToolResult {
  const change = written && {
    session_id: written.sessionId,
    message_id: written.messageId,
    document_id: written.documentId,
    block_ids: written.blockIds,
    undoable: written.undoable,
  };
  return {
    content: [{ type: 'text', text }, ...links.slice(0, MAX_LINKS).map(linkTo)],
    ...(status === 'success' && !change ? {} : { structuredContent: { status, text, ...(change ? { written: change } : {}) } }),
    isError: status !== 'success',
  };
}

/** A call that waits longer than the client would. */
export function pendingView(id: string, approvalId: string | undefined): CallToolResult {
  const where =
    approvalId === undefined
      ? 'it has not been planned yet, or waits for an earlier call'
      : `a person decides: POST /api/chat/approvals/${approvalId}`;
  const text = pendingText(id, where, PENDING_CHANGE);
  return {
    content: [{ type: 'text', text }],
    structuredContent: { status: 'pending', text, id, ...(approvalId === undefined ? {} : { approval_id: approvalId }) },
  };
}
