import * as v from 'valibot';
import { readSession } from '../../session/saved-format.ts';
import { type ChatTitle, type FoundChat, makeSearchEntry, type SearchEntry, searchChats, searchEntryFormat } from './search-text.ts';

/** The number of shards; a changed chat has its whole shard written again. */
export const SHARDS = 32;
const shardFormat = v.object({ schema: v.literal(1), chats: v.record(v.string(), searchEntryFormat) });

export function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index++) hash = (Math.imul(hash, 31) + id.charCodeAt(index)) >>> 0;
  return hash % SHARDS;
}

/** A chat in the corpus, and the state of its file from which it was read (see IndexEntry). */
export type HeldChat = readonly [id: string, modified: number];

/** A chat's file as it was read; without a text it does not exist. */
export interface ChatFile {
  readonly id: string;
  readonly modified: number;
  readonly text: string | null;
}

/** The texts of all chats and their search. It has no file access, so that it runs in a worker as well as in the page. */
export class SearchCorpus {
  private readonly shards = Array.from({ length: SHARDS }, () => new Map<string, SearchEntry>());
  private readonly titles = new Map<string, ChatTitle>();

  /** Loads the result of `shardText`; a damaged text is ignored. */
  load(text: string): readonly HeldChat[] {
    return readShard(text).map(([id, entry]) => {
      this.shardWith(id).set(id, entry);
      return [id, entry.modified];
    });
  }

  /** A chat that cannot be read has no texts, and is found by its title and tags. */
  read({ id, modified, text }: ChatFile): void {
    const read = text === null ? null : readSession(text);
    const session = read && read.kind !== 'broken' ? read.session : null;
    this.shardWith(id).set(id, session ? makeSearchEntry(session, modified) : { modified, nodes: [], texts: [] });
  }

  setTitles(titles: readonly ChatTitle[]): void {
    for (const title of titles) this.titles.set(title.id, title);
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) {
      this.shardWith(id).delete(id);
      this.titles.delete(id);
    }
  }

  shardText(shard: number): string {
    return JSON.stringify({ schema: 1, chats: Object.fromEntries(this.shards[shard] ?? []) });
  }

  search(query: string, limit: number): readonly FoundChat[] {
    return searchChats(this.titles.values(), (id) => this.shardWith(id).get(id), query, limit);
  }

  private shardWith(id: string): Map<string, SearchEntry> {
    const shard = this.shards[shardOf(id)];
    if (!shard) throw new Error('no such shard');
    return shard;
  }
}

function readShard(text: string): readonly (readonly [string, SearchEntry])[] {
  try {
    return Object.entries(v.parse(shardFormat, JSON.parse(text)).chats);
  } catch {
    return [];
  }
}
