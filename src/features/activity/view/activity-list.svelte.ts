import type { ActivityRecord } from '../../../chat/activity/activity.ts';
import type { DamagedActivity } from '../../../chat/activity/activity-files.ts';
import { documentsOf } from '../../../chat/activity/activity-lines.ts';
import type { ChatController } from '../../../chat/controller/controller-port.ts';
import { type EventError, toEventError, toToolError } from '../../../tools/contract/errors.ts';
import type { Choice } from '../../../ui/controls/choice.ts';
import { argumentText, toolName } from '../../../ui/labels/tool-labels.ts';
import type { ActivityPort } from '../../../ui/ports/activity-port.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import { isFailed, readsNotes } from './activity-labels.ts';

export const KINDS = ['all', 'changed', 'read', 'sent', 'failed'] as const;
export type Kind = (typeof KINDS)[number];

const IS_OF: Readonly<Record<Kind, (record: ActivityRecord) => boolean>> = {
  all: () => true,
  // What a sub-agent changed is recorded as calls of its own.
  changed: ({ effect, toolName }) => effect === 'write' && toolName !== 'spawn',
  read: readsNotes,
  sent: ({ effect }) => effect === 'outgoing',
  failed: isFailed,
};

/** How many rows are shown at first, and added each time. */
const PAGE = 60;
/** For the figures at the top. */
export const WEEK_MS = 7 * 86_400_000;

interface Deps {
  readonly activity: ActivityPort | undefined;
  readonly library: ChatController['library'];
  readonly t: Translate;
}

/** The list of the page "Activity": read a day at a time, as far back as the requested rows. */
export class ActivityList {
  kind: Kind = $state('all');
  /** '' for all, as `chat` and `tool`. */
  note: string = $state('');
  chat: string = $state('');
  tool: string = $state('');
  query: string = $state('');
  reading: boolean = $state(false);
  /** Why there is no list; not the same as an empty one. */
  problem: EventError | undefined = $state.raw();
  damaged: readonly DamagedActivity[] = $state.raw([]);
  titles: ReadonlyMap<string, string> = $state.raw(new Map());
  chats: ReadonlyMap<string, string> = $state.raw(new Map());
  #records: readonly ActivityRecord[] | undefined = $state.raw();
  #before: string | null = $state(null);
  #room: number = $state(PAGE);
  #asked = 0;
  readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  readonly loaded = $derived(this.#records !== undefined);
  readonly records = $derived(this.#records ?? []);
  readonly words = $derived(this.query.trim().toLocaleLowerCase());
  readonly filtered = $derived(this.kind !== 'all' || this.narrowed || this.words !== '');
  readonly #all = $derived(
    this.records.filter(
      (record) =>
        IS_OF[this.kind](record) &&
        (this.note === '' || documentsOf(record).includes(this.note)) &&
        (this.chat === '' || record.sessionId === this.chat) &&
        (this.tool === '' || record.toolName === this.tool) &&
        (this.words === '' || this.#text(record).includes(this.words)),
    ),
  );
  readonly rows = $derived(this.#all.slice(0, this.#room));
  /** There may be more rows that are not shown. */
  readonly goesOn = $derived(this.#all.length > this.#room || this.#before !== null);
  readonly notes: readonly Choice[] = $derived(this.#choices(this.records.flatMap(documentsOf), (id) => this.titles.get(id)));
  readonly chatChoices: readonly Choice[] = $derived(
    this.#choices(
      this.records.map(({ sessionId }) => sessionId),
      (id) => this.chats.get(id),
    ),
  );
  readonly tools: readonly Choice[] = $derived(
    this.#choices(
      this.records.map((record) => record.toolName),
      (name) => toolName(name, this.deps.t),
    ),
  );

  get narrowed(): boolean {
    return this.note !== '' || this.chat !== '' || this.tool !== '';
  }

  /** Reads from the newest on. The old list is shown until the new one is there. */
  async load(): Promise<void> {
    const { activity, library, t } = this.deps;
    const asked = ++this.#asked;
    this.reading = true;
    try {
      const [part, listed] = await Promise.all([activity?.read(), library.list()]);
      if (asked !== this.#asked) return;
      this.problem = undefined;
      this.damaged = part?.damaged ?? [];
      if (listed.kind === 'ok') this.chats = new Map(listed.items.map(({ id, title }) => [id, title || t('chat.untitled')]));
      await this.#name(part?.records ?? []);
      this.#records = part?.records ?? [];
      this.#before = part?.before ?? null;
      await this.#readOn(asked, () => this.#wanting());
    } catch (error) {
      if (asked === this.#asked) this.problem = toEventError(toToolError(error));
    } finally {
      if (asked === this.#asked) this.reading = false;
    }
  }

  /** To be called when a filter was changed: earlier days may have matching records. */
  fill(): Promise<void> {
    return this.#goOn(() => this.#wanting());
  }

  async more(): Promise<void> {
    this.#room += PAGE * 2;
    await this.fill();
  }

  /** Back to the first rows: another list is shown. */
  narrow(): void {
    this.#room = PAGE;
  }

  /** Reads back to a call, and shows enough rows for it. Undefined if there is no record of it. */
  async find(callId: string): Promise<ActivityRecord | undefined> {
    const place = (): number => this.#all.findIndex((record) => record.callId === callId);
    await this.#goOn(() => place() < 0);
    this.#room = Math.max(this.#room, place() + 1);
    return this.#all[place()];
  }

  #wanting(): boolean {
    const oldest = this.#records?.at(-1)?.timestamp ?? Number.POSITIVE_INFINITY;
    return this.#all.length < this.#room || oldest > Date.now() - WEEK_MS;
  }

  async #goOn(wanting: () => boolean): Promise<void> {
    if (this.reading || !this.loaded) return;
    this.reading = true;
    const asked = this.#asked;
    try {
      await this.#readOn(asked, wanting);
    } catch (error) {
      this.problem = toEventError(toToolError(error));
    } finally {
      if (asked === this.#asked) this.reading = false;
    }
  }

  async #readOn(asked: number, wanting: () => boolean): Promise<void> {
    while (this.#before !== null && wanting()) {
      const part = await this.deps.activity?.read(this.#before);
      if (!part || asked !== this.#asked) return;
      await this.#name(part.records);
      const known = new Set(this.records.map(({ id }) => id));
      this.#records = [...this.records, ...part.records.filter(({ id }) => !known.has(id))];
      this.damaged = [...this.damaged, ...part.damaged];
      this.#before = part.before;
    }
  }

  /** Looks up the titles of their notes. Without them the page still works. */
  async #name(records: readonly ActivityRecord[]): Promise<void> {
    const ids = [...new Set(records.flatMap(documentsOf))].filter((id) => !this.titles.has(id));
    const found = ids.length === 0 ? undefined : await this.deps.activity?.titles(ids).catch(() => undefined);
    if (found) this.titles = new Map([...this.titles, ...found]);
  }

  #text(record: ActivityRecord): string {
    const { t } = this.deps;
    const notes = documentsOf(record).map((id) => this.titles.get(id) ?? '');
    const said = [toolName(record.toolName, t), this.chats.get(record.sessionId) ?? '', record.userMessage, record.result ?? ''];
    return [...said, ...notes, ...Object.values(record.arguments).map(argumentText)].join('\n').toLocaleLowerCase();
  }

  #choices(ids: readonly string[], nameOf: (id: string) => string | undefined): readonly Choice[] {
    const named = [...new Set(ids)].map((id) => ({ id, name: nameOf(id) ?? '' }));
    return named.filter(({ name }) => name !== '').sort((one, other) => one.name.localeCompare(other.name));
  }
}
