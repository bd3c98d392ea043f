import * as v from 'valibot';
import { compareTexts } from '../../tools/util/plain-value.ts';
import { readSession } from '../session/saved-format.ts';
import { threadOf } from '../session/thread.ts';
import type { Session, SessionSummary } from '../session/types.ts';
import { FolderIndex, type FolderIndexOptions } from './folder-index.ts';
import type { ChatStorage } from './storage-port.ts';

const format: v.GenericSchema<unknown, SessionSummary> = v.object({
  id: v.string(),
  title: v.string(),
  updated: v.number(),
  pinned: v.boolean(),
  messages: v.number(),
  boundDocument: v.optional(v.string()),
  project: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  archived: v.optional(v.boolean()),
  suggestion: v.optional(v.boolean()),
});

export function summarizeSession(session: Session): SessionSummary {
  const messages = threadOf(session, session.leafId).filter((node) => node.role !== 'separator').length;
  const { id, title, updated, pinned, boundDocument, project, tags, archived, origin } = session;
  return {
    id,
    title,
    updated,
    pinned,
    messages,
    boundDocument,
    project,
    tags: tags.length > 0 ? tags : undefined,
    archived: archived || undefined,
    suggestion: origin === 'suggestion' && messages <= 2 ? true : undefined,
  };
}

function summarize(id: string, text: string): SessionSummary | null {
  const read = readSession(text);
  return read.kind !== 'broken' && read.session ? summarizeSession({ ...read.session, id }) : null;
}

export type SessionIndex = FolderIndex<SessionSummary>;

export const openSessionIndex = (storage: ChatStorage, later?: FolderIndexOptions<SessionSummary>['later']): SessionIndex =>
  new FolderIndex({ storage, folder: 'sessions', schema: 2, format, summarize, later });

export function sortSummaries(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return [...sessions].sort(
    (left, right) => Number(right.pinned) - Number(left.pinned) || right.updated - left.updated || compareTexts(left.id, right.id),
  );
}
