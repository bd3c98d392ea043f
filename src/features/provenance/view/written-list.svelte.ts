import type { ChatController } from '../../../chat/controller/controller-port.ts';
import { type EventError, toEventError, toToolError } from '../../../tools/contract/errors.ts';
import type { Choice } from '../../../ui/controls/choice.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { WrittenBlock, WrittenKind, WrittenOrigin, WrittenPort, WrittenScope } from '../provenance-port.ts';

interface Deps {
  readonly written: WrittenPort;
  readonly library: Pick<ChatController['library'], 'list'>;
  readonly t: Translate;
}

const keyOf = ({ sessionId, messageId, callId }: WrittenBlock['call']): string => [sessionId, messageId, callId].join('/');

/** The list of the page "Written by models": all blocks of a kind, or those that the page was opened for. */
export class WrittenList {
  kind: WrittenKind = $state('unread');
  scope: WrittenScope = $state.raw({ chat: '', notebook: '' });
  /** Ids of the blocks that the page was opened for; empty for all. */
  of: readonly string[] = $state.raw([]);
  blocks: readonly WrittenBlock[] | undefined = $state.raw();
  /** How many nobody has marked as read; undefined until they are counted. */
  unread: number | undefined = $state();
  /** All that models wrote; undefined until they are counted. */
  total: number | undefined = $state();
  /** Titles of the chats that are there, by id. */
  chats: ReadonlyMap<string, string> = $state.raw(new Map());
  /** Names of the notebooks that hold such blocks, by id. */
  notebooks: ReadonlyMap<string, string> = $state.raw(new Map());
  /** What the chats say of calls; it comes after the blocks. */
  #origins: ReadonlyMap<string, WrittenOrigin> = $state.raw(new Map());
  /** Chats that are there and wrote some of them. */
  chatChoices: readonly Choice[] = $state.raw([]);
  isReading: boolean = $state(false);
  problem: EventError | undefined = $state.raw();
  #next: string | null = $state(null);
  #asked = 0;
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get goesOn(): boolean {
    return this.#next !== null;
  }

  /** Undefined where its chat says nothing, or has not been read yet. */
  originOf({ call }: WrittenBlock): WrittenOrigin | undefined {
    return this.#origins.get(keyOf(call));
  }

  /** From the first on. */
  load(): Promise<void> {
    return this.#read(async (isCurrent) => {
      const { written, library, t } = this.#deps;
      const isOfSome = this.of.length > 0;
      const asked = isOfSome ? written.of(this.of).then((blocks) => ({ blocks, next: null })) : written.list(this.kind, this.scope, null);
      const figures = isOfSome ? undefined : Promise.all([written.counts(this.scope), written.places()]);
      const [page, listed, [counts, places] = []] = await Promise.all([asked, library.list(), figures]);
      if (!isCurrent()) return;
      if (listed.kind === 'ok') this.chats = new Map(listed.items.map(({ id, title }) => [id, title || t('chat.untitled')]));
      if (places) this.#takePlaces(places);
      [this.blocks, this.#next] = [page.blocks, page.next];
      [this.total, this.unread] = [counts?.all, counts?.unread];
      this.#askOrigins(page.blocks);
    });
  }

  more(): Promise<void> {
    return this.#read(async (isCurrent) => {
      const page = await this.#deps.written.list(this.kind, this.scope, this.#next);
      if (!isCurrent()) return;
      [this.blocks, this.#next] = [[...(this.blocks ?? []), ...page.blocks], page.next];
      this.#askOrigins(page.blocks);
    });
  }

  /** They stay in the list, so that nothing moves under the hand. */
  markRead(ids: readonly string[]): Promise<void> {
    return this.#read(async () => {
      await this.#deps.written.markRead(ids);
      this.unread = Math.max(0, (this.unread ?? 0) - ids.length);
      this.blocks = this.blocks?.map((block) => (ids.includes(block.id) ? { ...block, isRead: true } : block));
    });
  }

  /** What they cite counts as checked. */
  stillHolds(ids: readonly string[]): Promise<void> {
    return this.#read(async () => {
      await this.#deps.written.stillHolds(ids);
      this.blocks = this.blocks?.map((block) => (ids.includes(block.id) ? { ...block, sources: undefined } : block));
    });
  }

  #takePlaces({ chats, notebooks }: Awaited<ReturnType<WrittenPort['places']>>): void {
    this.notebooks = notebooks;
    this.chatChoices = chats.flatMap((id) => {
      const name = this.chats.get(id);
      return name === undefined ? [] : [{ id, name }];
    });
  }

  /** Nobody waits for it: without it the rows say less. */
  #askOrigins(blocks: readonly WrittenBlock[]): void {
    const asked = blocks.filter((block) => !this.originOf(block));
    const add = (origins: readonly (WrittenOrigin | null)[]): void => {
      const known = asked.flatMap(({ call }, at): [string, WrittenOrigin][] => (origins[at] ? [[keyOf(call), origins[at]]] : []));
      this.#origins = new Map([...this.#origins, ...known]);
    };
    if (asked.length > 0) this.#deps.written.origins(asked).then(add, () => undefined);
  }

  async #read(work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const asked = ++this.#asked;
    this.isReading = true;
    try {
      await work(() => asked === this.#asked);
      this.problem = undefined;
    } catch (error) {
      this.problem = toEventError(toToolError(error));
    }
    if (asked === this.#asked) this.isReading = false;
  }
}
