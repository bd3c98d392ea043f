import { SvelteSet } from 'svelte/reactivity';
import type { Listing, NamedChat } from '../../chat/controller/chat-library.ts';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { SessionSummary } from '../../chat/session/types.ts';
import type { SearchMatch } from '../../chat/store/search/search-text.ts';
import type { TrashedChat } from '../../chat/store/trash.ts';
import type { EventError } from '../../tools/contract/errors.ts';

export type ChatFilter = 'chats' | 'suggestions' | 'archived' | 'trash';

/** Rows that are rendered at first, and added each time: thousands are slow, and nobody reads so many. */
const PAGE = 60;
const MATCHES = 100;

/** Where a chat that is not deleted is listed. */
function filterOf({ archived, suggestion }: SessionSummary): ChatFilter {
  if (archived) return 'archived';
  return suggestion ? 'suggestions' : 'chats';
}

/** The list of chats for the page: read once, filtered while typing, with matches in the messages added. */
export class ChatList {
  filter: ChatFilter = $state('chats');
  query: string = $state('');
  /** '' for all. */
  tag: string = $state('');
  searching: boolean = $state(false);
  /** Chats that are missing in the list, or whose messages are not searched, because their files are still being read. */
  unread: number = $state(0);
  /** Why there is no list; not the same as an empty one. */
  problem: EventError | undefined = $state.raw();
  trashed: readonly TrashedChat[] | undefined = $state.raw();
  unreadable: readonly NamedChat[] = $state.raw([]);
  #saved: readonly SessionSummary[] | undefined = $state.raw();
  #found: { readonly query: string; readonly matches: readonly SearchMatch[] } = $state.raw({ query: '', matches: [] });
  #room: number = $state(PAGE);
  #asked = 0;
  #unlisted = 0;
  #following = false;
  selected: SvelteSet<string> | undefined = $state.raw();
  readonly #library: ChatController['library'];

  /** The chat that is shown; undefined while it is empty. */
  readonly #current: () => SessionSummary | undefined;

  constructor(library: ChatController['library'], current: () => SessionSummary | undefined) {
    this.#library = library;
    this.#current = current;
  }

  /** A chat whose first answer is still being written has no file yet, but is listed. */
  readonly #chats: readonly SessionSummary[] | undefined = $derived.by(() => {
    const current = this.#current();
    if (!this.#saved || !current || [...this.#saved, ...(this.trashed ?? [])].some(({ id }) => id === current.id)) return this.#saved;
    // The latest of the others, which are below the pinned ones: on the same day.
    const pinned = this.#saved.filter((chat) => chat.pinned);
    return [...pinned, current, ...this.#saved.filter((chat) => !chat.pinned)];
  });

  readonly words = $derived(this.query.trim());
  readonly suggestions = $derived((this.#chats ?? []).filter((chat) => chat.suggestion && !chat.archived).length);
  readonly archived = $derived((this.#chats ?? []).filter((chat) => chat.archived).length);
  readonly loaded = $derived(this.#chats !== undefined);
  readonly empty = $derived(this.#chats?.length === 0);

  /** Most used first. */
  readonly tags = $derived.by(() => {
    const counts = new Map<string, number>();
    for (const tag of (this.#chats ?? []).flatMap((chat) => chat.tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0])).map(([tag]) => tag);
  });

  /** Search results: titles at once, then chats with matches only in their messages. */
  readonly #all: readonly SearchMatch[] = $derived.by(() => {
    const chats = this.#chats ?? [];
    const ofTag = (chat: SessionSummary): boolean => this.tag === '' || (chat.tags ?? []).includes(this.tag);
    if (this.words === '') {
      return chats.filter((chat) => filterOf(chat) === this.filter && ofTag(chat)).map((summary) => ({ summary }));
    }
    const matches = new Map(this.#found.query === this.words ? this.#found.matches.map((match) => [match.summary.id, match]) : []);
    const titled = this.#library.byTitle(chats, this.words);
    // Found by their titles, or deleted since the search.
    const apart = new Set([...titled, ...(this.trashed ?? [])].map((chat) => chat.id));
    const known = new Map(chats.map((chat) => [chat.id, chat]));
    const said = [...matches.values()].filter((match) => !apart.has(match.summary.id));
    return [...titled.map((summary) => matches.get(summary.id) ?? { summary }), ...said]
      .map((match) => ({ ...match, summary: known.get(match.summary.id) ?? match.summary }))
      .filter((match) => ofTag(match.summary));
  });
  readonly count = $derived(this.#all.length);
  readonly rows = $derived(this.#all.slice(0, this.#room));

  get ids(): readonly string[] {
    return (this.#chats ?? []).map((chat) => chat.id);
  }

  /** If the last chat of a filter is removed, all chats are shown: its button is gone. */
  async load(): Promise<void> {
    this.problem = undefined;
    const chats = this.#library.list().then((listing) => {
      this.#saved = this.#taken(listing);
      this.#unlisted = listing.kind === 'ok' ? listing.unread : 0;
      this.unreadable = (listing.kind === 'ok' && listing.unreadable) || [];
    });
    const trashed = this.#library.trashed().then((listing) => {
      this.trashed = this.#taken(listing);
    });
    await Promise.all([chats, trashed]);
    this.unread = Math.max(this.#unlisted, this.words === '' ? 0 : this.unread);
    const left = { chats: 1, suggestions: this.suggestions, archived: this.archived, trash: this.trashed?.length ?? 1 }[this.filter];
    if (left === 0 && this.loaded) this.filter = 'chats';
    // Chats that are gone, also in another window, are deselected.
    const listed = new Set(this.listed);
    for (const id of this.selected ?? []) if (!listed.has(id)) this.selected?.delete(id);
  }

  /** Ids of what is listed now, and can be selected. */
  get listed(): readonly string[] {
    return this.filter === 'trash' && this.words === ''
      ? (this.trashed ?? []).map(({ id }) => id)
      : this.#all.map(({ summary }) => summary.id);
  }

  titleOf(id: string): string {
    return this.#chats?.find((chat) => chat.id === id)?.title ?? '';
  }

  choose(id: string): void {
    this.selected ??= new SvelteSet();
    if (!this.selected.delete(id)) this.selected.add(id);
  }

  more(): void {
    this.#room += PAGE * 2;
  }

  /** Back to the first rows: another list is shown. */
  narrow(): void {
    this.#room = PAGE;
  }

  show(filter: ChatFilter): void {
    this.filter = this.filter === filter ? 'chats' : filter;
    this.query = '';
    this.selected?.clear();
    this.narrow();
  }

  /** Searches the messages; an answer to an outdated search is dropped. */
  async search(query: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.searching = query !== '';
    const result = query === '' ? { kind: 'ok' as const, items: [], unread: 0 } : await this.#library.search(query, MATCHES);
    if (asked !== this.#asked) return;
    this.searching = false;
    if (result.kind === 'failed') this.problem = result.error;
    else this.#found = { query, matches: result.items };
    this.unread = Math.max(this.#unlisted, result.kind === 'ok' ? result.unread : 0);
  }

  /** More was read in the background: adds it, in the order of the results. */
  async follow(): Promise<void> {
    if (this.#following) return;
    this.#following = true;
    await this.load();
    if (this.words !== '' && !this.searching) await this.search(this.words);
    this.#following = false;
  }

  #taken<T>(listing: Listing<T>): readonly T[] | undefined {
    if (listing.kind === 'ok') return listing.items;
    this.problem = listing.error;
    return undefined;
  }
}
