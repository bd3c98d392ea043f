import * as v from 'valibot';
import { readSession } from './saved-format.ts';
import type { ChatStorage } from './storage-port.ts';
import { threadOf } from './tree-model.ts';
import type { Session, SessionSummary } from './types.ts';

const indexFormat = v.object({
  schema: v.literal(1),
  sessions: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      updated: v.number(),
      pinned: v.boolean(),
      messages: v.number(),
      boundDocument: v.exactOptional(v.string()),
    }),
  ),
});

function summarize(session: Session): SessionSummary {
  const messages = threadOf(session, session.leafId).filter((node) => node.role !== 'separator').length;
  const { id, title, updated, pinned, boundDocument } = session;
  return { id, title, updated, pinned, messages, ...(boundDocument === undefined ? {} : { boundDocument }) };
}

/** null when the cache is missing, damaged or of another version: it is rebuilt then. */
function readIndex(text: string | null): readonly SessionSummary[] | null {
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = v.safeParse(indexFormat, value);
  return parsed.success ? parsed.output.sessions : null;
}

function writeIndex(sessions: readonly SessionSummary[]): string {
  return JSON.stringify({ schema: 1, sessions: sortSummaries(sessions) });
}

/** Pinned first, then the newest. */
function sortSummaries(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return [...sessions].sort(
    (left, right) => Number(right.pinned) - Number(left.pinned) || right.updated - left.updated || (left.id < right.id ? -1 : 1),
  );
}

function summaryOf(text: string | null): SessionSummary | null {
  const read = text === null ? null : readSession(text);
  return read && read.kind !== 'broken' && read.session ? summarize(read.session) : null;
}

const INDEX = 'sessions/index.json';
const EXTENSION = '.json';

/** The list of chats: `sessions/index.json` is believed for the files that are there, and the others are read. */
export class SessionIndex {
  private readonly storage: ChatStorage;

  constructor(storage: ChatStorage) {
    this.storage = storage;
  }

  async list(): Promise<readonly SessionSummary[]> {
    const known = new Map((readIndex(await this.storage.read(INDEX)) ?? []).map((summary) => [summary.id, summary]));
    const names = (await this.storage.list('sessions')).filter((name) => name.endsWith(EXTENSION) && name !== 'index.json');
    const read = async (name: string): Promise<SessionSummary | null> =>
      known.get(name.slice(0, -EXTENSION.length)) ?? summaryOf(await this.storage.read(`sessions/${name}`));
    const summaries = await Promise.all(names.map(read));
    return sortSummaries(summaries.filter((summary) => summary !== null));
  }

  put(session: Session): Promise<void> {
    return this.update((sessions) => [...sessions.filter((summary) => summary.id !== session.id), summarize(session)]);
  }

  drop(id: string): Promise<void> {
    return this.update((sessions) => sessions.filter((summary) => summary.id !== id));
  }

  /** Never rejects: a cache that could not be brought up to date is removed, because it must not be believed. */
  private async update(change: (sessions: readonly SessionSummary[]) => readonly SessionSummary[]): Promise<void> {
    try {
      await this.storage.write(INDEX, writeIndex(change(await this.list())));
    } catch {
      // When it cannot be removed either, the storage is gone, and the next save of a chat says so.
      await this.storage.remove(INDEX).catch(() => undefined);
    }
  }
}
