import { type EventError, ToolError } from '../../tools/contract/errors.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { sideBySide } from '../../tools/util/turns.ts';
import { exportChats, fromElsewhere, importChats } from '../session/exchange.ts';
import type { MarkdownOptions } from '../session/export-markdown.ts';
import { mergeNews } from '../session/merge-sessions.ts';
import type { Session, SessionSummary } from '../session/types.ts';
import type { ChatFields, Intent } from '../store/recovery-log.ts';
import { filterByTitle, type SearchMatch } from '../store/search/search-text.ts';
import type { ChatStore } from '../store/store-port.ts';
import type { TrashedChat } from '../store/trash.ts';
import { CHAT_GONE, READ_ONLY, thrownError } from '../turn/notices.ts';
import type { ChatSession } from '../turn/session.ts';

const loadExport = lazyPart(() => import('../session/export-markdown.ts'));

export interface NamedChat {
  readonly id: string;
  readonly title: string;
}

interface Listed<T> {
  readonly kind: 'ok';
  readonly items: readonly T[];
  /** The number of chats that have not been read yet: `watch` reports more. */
  readonly unread: number;
  /** Chats whose files cannot be read, and which are not among the items. */
  readonly unreadable?: readonly NamedChat[];
}

/** The requested items, or why they could not be read: no chats is not the same as a storage that does not answer. */
export type Listing<T> = Listed<T> | { readonly kind: 'failed'; readonly error: EventError };

export interface ChatWrites {
  /** Tells if any of it is still there, not undone. */
  stay(sessionId: string): Promise<boolean>;
  /** Forgets the chat and its earlier versions: it was deleted permanently. */
  forget(sessionId: string): Promise<void>;
}

export interface ChatLibraryHost {
  readonly store: ChatStore;
  /** An open chat: the shown one, or one whose answer is being written. */
  readonly open: (id: string) => ChatSession | undefined;
  readonly say: (problem: EventError) => void;
  /** Ends what runs in a chat; if it is shown, an empty one replaces it. */
  readonly end: (id: string) => Promise<void>;
  readonly writes: ChatWrites | undefined;
}

interface ExportProgress {
  readonly signal?: AbortSignal;
  readonly onRead?: (count: number) => void;
}

/** How long deleted chats are kept, in milliseconds. */
export const TRASH_TIME = 30 * 24 * 60 * 60 * 1000;

/** All chats, including the open one. Failures are notices, or part of the result; only `whole` rejects. */
export class ChatLibrary {
  private readonly host: ChatLibraryHost;
  /** Serializes changes of chats that are not open: each is based on what the one before it wrote. */
  private changes: Promise<void> = Promise.resolve();

  constructor(host: ChatLibraryHost) {
    this.host = host;
  }

  /** Pinned first, then the newest; archived ones included. */
  list(): Promise<Listing<SessionSummary>> {
    return listing(async () => {
      const { store } = this.host;
      const { chats, unread, unreadable } = await store.listSoon();
      const titles = await sideBySide(unreadable, async (id) => ({ id, title: await store.savedTitle(id) }));
      return { items: chats, unread, unreadable: titles.flatMap(({ id, title }) => (title === null ? [] : { id, title })) };
    });
  }

  /** Calls back when a list has grown because files were read in the background; returns a function that stops it. */
  watch(listener: () => void): () => void {
    return this.host.store.watchLists(listener);
  }

  /** Results while typing: chats whose title or tags contain all words. */
  byTitle(summaries: readonly SessionSummary[], query: string): readonly SessionSummary[] {
    return filterByTitle(summaries, query);
  }

  /** Chats that contain all words, the best first, with the match in the best message. */
  search(query: string, limit?: number): Promise<Listing<SearchMatch>> {
    const { search } = this.host.store;
    return listing(async () => ({ items: await search.search(query, limit), unread: search.unread }));
  }

  rename(id: string, title: string): Promise<void> {
    return this.change(id, { title: title.trim() });
  }

  setTags(id: string, tags: readonly string[]): Promise<void> {
    const clean = tags.map((tag) => tag.replaceAll(/\s+/g, ' ').trim()).filter((tag) => tag !== '');
    return this.change(id, { tags: [...new Set(clean)] });
  }

  setPinned(id: string, pinned: boolean): Promise<void> {
    return this.change(id, { pinned });
  }

  setArchived(id: string, archived: boolean): Promise<void> {
    return this.change(id, { archived });
  }

  /** Tells if it left anything in notes; true if that cannot be read. */
  async wrote(id: string): Promise<boolean> {
    try {
      return (await this.host.writes?.stay(id)) ?? false;
    } catch {
      return true;
    }
  }

  /** Moves it to the trash, where `restore` finds it for thirty days. This and the next two resolve to false after a notice. */
  remove(id: string): Promise<boolean> {
    return this.intended(id, { kind: 'remove' }, async () => {
      await this.host.end(id);
      await this.host.store.remove(id);
      return true;
    });
  }

  trashed(): Promise<Listing<TrashedChat>> {
    return listing(async () => ({ items: await this.host.store.trashed(), unread: 0 }));
  }

  restore(id: string): Promise<boolean> {
    return this.intended(id, { kind: 'restore' }, async () => {
      const back = await this.host.store.restore(id);
      if (!back) this.host.say(CHAT_GONE);
      return back;
    });
  }

  /** Removes a deleted chat permanently, with the data for its Undo: nothing restores it. */
  discard(id: string): Promise<boolean> {
    const { store, writes } = this.host;
    return this.inTurn(async () => {
      await store.discard(id);
      if (!(await store.has(id))) await writes?.forget(id);
      return true;
    });
  }

  /** The text of a file with these chats; null after a notice, or if canceled. */
  async exportJson(ids: readonly string[], { signal, onRead }: ExportProgress = {}): Promise<string | null> {
    const chats: Session[] = [];
    await this.attempt(async () => {
      for (const id of ids) {
        if (signal?.aborted) return;
        chats.push(await this.whole(id));
        onRead?.(chats.length);
      }
    });
    return chats.length === ids.length && !signal?.aborted ? exportChats(chats) : null;
  }

  async exportMarkdown(id: string, options: MarkdownOptions): Promise<string | null> {
    let text: string | null = null;
    await this.attempt(async () => {
      const { exportMarkdown } = await loadExport();
      text = exportMarkdown(await this.whole(id), options);
    });
    return text;
  }

  /** Imports chats without duplicates: merges additions and restores deleted ones. Resolves to the changed ids; null after a notice. */
  async importJson(text: string): Promise<readonly string[] | null> {
    const news: string[] = [];
    let read = false;
    await this.attempt(async () => {
      const chats = importChats(text);
      const { store } = this.host;
      for (const chat of chats) {
        const back = await store.restore(chat.id);
        const added = await this.takeIn(chat);
        if (back || added) news.push(chat.id);
      }
      read = true;
    });
    return read ? news : null;
  }

  private async takeIn(chat: Session): Promise<boolean> {
    const { store, open } = this.host;
    const here = open(chat.id);
    // Reading a chat whose answer is being written would treat it as cut off.
    const loaded = here ? { session: here.snapshot(), readOnly: here.readOnly } : await store.load(chat.id);
    if (loaded?.readOnly) throw new ToolError(READ_ONLY.code, READ_ONLY.message, READ_ONLY.next);
    const news = fromElsewhere(chat, loaded?.session);
    const merged = loaded ? mergeNews(loaded.session, news) : news;
    if (!merged) return false;
    const { session } = await store.save(merged);
    if (loaded) here?.takeIn(loaded.session, session);
    return true;
  }

  /** Rejects with ToolError if it is gone or cannot be read. */
  async whole(id: string): Promise<Session> {
    const { open, store } = this.host;
    const here = open(id);
    if (here) return here.snapshot();
    const loaded = await store.load(id);
    if (!loaded) throw new ToolError(CHAT_GONE.code, CHAT_GONE.message, CHAT_GONE.next);
    return loaded.session;
  }

  private async change(id: string, fields: ChatFields): Promise<void> {
    const { open, store, say } = this.host;
    if (fields.title === '') return;
    const here = open(id);
    if (here) return here.blocked ? say(here.blocked) : here.change(fields);
    await this.intended(id, { kind: 'set', fields }, async () => {
      const loaded = await store.load(id);
      if (!loaded || loaded.readOnly) {
        say(loaded ? READ_ONLY : CHAT_GONE);
        return false;
      }
      await store.save({ ...loaded.session, ...fields });
      return true;
    });
  }

  /** It takes several requests: if the page ends meanwhile, the next page completes it. */
  private intended(id: string, intent: Intent, work: () => Promise<boolean>): Promise<boolean> {
    const done = this.host.store.intend(id, intent);
    return this.inTurn(work).finally(done);
  }

  private inTurn(work: () => Promise<boolean>): Promise<boolean> {
    let isDone = false;
    const change = this.changes.then(() =>
      this.attempt(async () => {
        isDone = await work();
      }),
    );
    this.changes = change;
    return change.then(() => isDone);
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.host.say(thrownError(error, 'storage_failed'));
    }
  }
}

async function listing<T>(read: () => Promise<Omit<Listed<T>, 'kind'>>): Promise<Listing<T>> {
  try {
    return { kind: 'ok', ...(await read()) };
  } catch (error) {
    return { kind: 'failed', error: thrownError(error, 'storage_failed') };
  }
}
