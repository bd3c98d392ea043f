import type { Listing, NamedChat } from '../../chat/controller/chat-library.ts';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { SessionSummary } from '../../chat/session/types.ts';
import { filterByTitle, type SearchMatch } from '../../chat/store/search/search-text.ts';
import type { TrashedChat } from '../../chat/store/trash.ts';

export type Note = (...entry: readonly [string, ...unknown[]]) => void;

/** Chats in memory. What they hold is in `said`, by chat. */
export class FakeLibrary {
  summaries: readonly SessionSummary[] = [];
  said: Readonly<Record<string, string>> = {};
  deleted: readonly (SessionSummary & TrashedChat)[] = [];
  /** An export waits there until it is called off; −1: it does not. */
  exportStops = -1;
  /** Chats whose files cannot be read. */
  unreadable: readonly NamedChat[] = [];
  /** Chats that are still being read behind the list. */
  unread = 0;
  readonly listeners = new Set<() => void>();
  /** Chats that can be neither deleted nor brought back. */
  stuck: readonly string[] = [];
  /** Chats that left nothing in the notes. */
  unwritten: readonly string[] = [];
  /** The list cannot be read. */
  broken = false;
  readonly #note: Note;
  readonly #renamed: (id: string, title: string) => void;

  constructor(note: Note, renamed: (id: string, title: string) => void) {
    this.#note = note;
    this.#renamed = renamed;
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async list(): Promise<Listing<SessionSummary>> {
    const listing = await this.#listing(this.summaries);
    return listing.kind === 'ok' ? { ...listing, unreadable: this.unreadable } : listing;
  }

  /** What chats hold is not in here. */
  async whole(id: string): Promise<never> {
    throw new Error(`there is no chat ${id}`);
  }

  byTitle(summaries: readonly SessionSummary[], query: string): readonly SessionSummary[] {
    return filterByTitle(summaries, query);
  }

  search(query: string): Promise<Listing<SearchMatch>> {
    const matches = this.summaries.flatMap((summary): SearchMatch[] => {
      const text = this.said[summary.id] ?? '';
      const at = text.toLowerCase().indexOf(query.toLowerCase());
      if (at < 0) return [];
      const end = at + query.length;
      return [
        {
          summary,
          nodeId: `said-${summary.id}`,
          snippet: { before: text.slice(0, at), match: text.slice(at, end), after: text.slice(end) },
        },
      ];
    });
    return this.#listing(matches);
  }

  trashed(): Promise<Listing<TrashedChat>> {
    return this.#listing(this.deleted);
  }

  async rename(id: string, title: string): Promise<void> {
    this.#change('rename', id, { title });
    this.#renamed(id, title);
  }

  async setTags(id: string, tags: readonly string[]): Promise<void> {
    this.#change('setTags', id, { tags: tags.map((tag) => tag.trim()).filter(Boolean) });
  }

  async setPinned(id: string, pinned: boolean): Promise<void> {
    this.#change('setPinned', id, { pinned });
  }

  async setArchived(id: string, archived: boolean): Promise<void> {
    this.#change('setArchived', id, { archived });
  }

  async wrote(id: string): Promise<boolean> {
    return !this.unwritten.includes(id);
  }

  async remove(id: string): Promise<boolean> {
    this.#note('library.remove', id);
    if (this.stuck.includes(id)) return false;
    const gone = this.summaries.filter((summary) => summary.id === id).map((summary) => ({ ...summary, deleted: Date.now() }));
    this.deleted = [...gone, ...this.deleted];
    this.summaries = this.summaries.filter((summary) => summary.id !== id);
    this.unreadable = this.unreadable.filter((chat) => chat.id !== id);
    return true;
  }

  async restore(id: string): Promise<boolean> {
    this.#note('library.restore', id);
    if (this.stuck.includes(id)) return false;
    this.summaries = [...this.summaries, ...this.deleted.filter((chat) => chat.id === id)];
    this.deleted = this.deleted.filter((chat) => chat.id !== id);
    return true;
  }

  async discard(id: string): Promise<boolean> {
    this.#note('library.discard', id);
    if (this.stuck.includes(id)) return false;
    this.deleted = this.deleted.filter((chat) => chat.id !== id);
    return true;
  }

  async exportJson(
    ids: readonly string[],
    { signal, onRead }: { readonly signal?: AbortSignal; readonly onRead?: (count: number) => void } = {},
  ): Promise<string | null> {
    this.#note('library.exportJson', ids);
    for (const [index] of ids.entries()) {
      if (index === this.exportStops) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      if (signal?.aborted) return null;
      onRead?.(index + 1);
    }
    return '{"format":"marginalia-chats"}\n';
  }

  async exportMarkdown(id: string): Promise<string | null> {
    this.#note('library.exportMarkdown', id);
    return '# Urban heat\n';
  }

  async importJson(text: string): Promise<readonly string[]> {
    this.#note('library.importJson', text);
    if (this.summaries.some(({ id }) => id === 'imported')) return [];
    this.summaries = [...this.summaries, { id: 'imported', title: 'From a file', updated: Date.now(), pinned: false, messages: 2 }];
    return ['imported'];
  }

  #change(name: keyof ChatController['library'], id: string, changes: Partial<SessionSummary>): void {
    this.#note(`library.${name}`, id, ...Object.values(changes));
    this.summaries = this.summaries.map((summary) => (summary.id === id ? { ...summary, ...changes } : summary));
  }

  async #listing<T>(items: readonly T[]): Promise<Listing<T>> {
    if (!this.broken) return { kind: 'ok', items, unread: this.unread };
    return { kind: 'failed', error: { code: 'kernel_unreachable', message: 'the kernel does not answer', next: 'try again' } };
  }
}
