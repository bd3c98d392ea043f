import type { NamedChat } from '../../chat/controller/chat-library.ts';
import type { SessionSummary } from '../../chat/session/types.ts';
import { moment } from '../labels/format.ts';
import type { PanelContext } from '../state/context.ts';
import type { ChatList } from './chat-list.svelte.ts';
import { fileName, saveText } from './save-text.ts';

/** A running export: how many chats were read, of how many. */
interface Exporting {
  readonly read: number;
  readonly all: number;
  readonly stop: AbortController;
}

/** Those for which it was done, one after another; for the others a notice says why not. */
async function done<T>(items: readonly T[], work: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const result: T[] = [];
  for (const item of items) if (await work(item)) result.push(item);
  return result;
}

export class ChatActions {
  exporting: Exporting | undefined = $state.raw();
  readonly #list: ChatList;
  readonly #context: Pick<PanelContext, 'controller' | 'host' | 'panel' | 't'>;

  constructor(list: ChatList, context: Pick<PanelContext, 'controller' | 'host' | 'panel' | 't'>) {
    this.#list = list;
    this.#context = context;
  }

  get #library() {
    return this.#context.controller.library;
  }

  change(work: () => Promise<unknown>): void {
    const { panel } = this.#context;
    const run = async (): Promise<void> => {
      await work();
      await this.#list.load();
      panel.focusPage();
    };
    panel.run(run());
  }

  /** Moves them to the trash, with an Undo for a while. */
  remove(chats: readonly NamedChat[]): void {
    const { panel, t } = this.#context;
    this.change(async () => {
      // Meanwhile the page may be closed, and the selection may change.
      const writes = Promise.all(chats.map(({ id }) => this.#library.wrote(id)));
      const gone = await done(chats, ({ id }) => this.#library.remove(id));
      const wrote = (await writes).includes(true);
      const [first] = gone;
      if (!first) return;
      const undo = async (): Promise<void> => {
        await done(gone, ({ id }) => this.#library.restore(id));
        await this.#list.load();
      };
      const title = first.title || t('chat.untitled');
      if (gone.length === 1) panel.say(t(wrote ? 'chats.removed' : 'chats.removedUnwritten', { title }), { undo, about: title });
      else panel.say(t(wrote ? 'chats.removedMany' : 'chats.removedManyUnwritten', { n: gone.length }), { undo });
    });
  }

  setArchived(ids: readonly string[], archived: boolean): void {
    this.change(async () => {
      for (const id of ids) await this.#library.setArchived(id, archived);
    });
  }

  restore(ids: readonly string[]): void {
    const { panel, t } = this.#context;
    this.change(async () => {
      const { length: n } = await done(ids, (id) => this.#library.restore(id));
      if (n > 1) panel.say(t('chats.restoredMany', { n }));
    });
  }

  /** After a question: nothing restores them. */
  discard(ids: readonly string[]): void {
    const { host, panel, t } = this.#context;
    this.change(async () => {
      const text = t('chats.discardAsk', { n: ids.length });
      if (!(await host.confirm({ title: t('chats.discardTitle'), text, action: t('chats.discard') }))) return;
      const { length: n } = await done(ids, (id) => this.#library.discard(id));
      if (n > 0) panel.say(t('chats.discarded', { n }));
    });
  }

  exportOne({ id, title }: SessionSummary, format: 'markdown' | 'json'): void {
    const { panel, t } = this.#context;
    const name = title || t('chat.untitled');
    if (format === 'json') {
      panel.run(this.#hand(name, 'json', this.#library.exportJson([id])));
      return;
    }
    const words = {
      user: t('role.user'),
      assistant: t('role.assistant'),
      attached: t('context.list'),
      summary: t('role.summary'),
      branch: t('chats.otherBranch'),
    };
    const formatTime = (time: number): string => moment(time, t);
    panel.run(this.#hand(name, 'md', this.#library.exportMarkdown(id, { branches: 'all', words, formatTime })));
  }

  /** Thousands of chats take a while: it shows its progress, and can be canceled. */
  exportMany(ids: readonly string[]): void {
    const { panel, t } = this.#context;
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      this.exporting = { read: 0, all: ids.length, stop };
      try {
        const onRead = (read: number): void => {
          this.exporting = { read, all: ids.length, stop };
        };
        await this.#hand(t('chats.allName'), 'json', this.#library.exportJson(ids, { signal: stop.signal, onRead }));
        if (stop.signal.aborted) panel.say(t('exported.stopped'));
      } finally {
        this.exporting = undefined;
      }
    };
    panel.run(run());
  }

  async take(input: HTMLInputElement): Promise<void> {
    const { panel, t } = this.#context;
    const [chosen] = input.files ?? [];
    const text = await chosen?.text();
    // The same file may be chosen again.
    input.value = '';
    if (text === undefined) return;
    const ids = await this.#library.importJson(text);
    if (ids) panel.say(ids.length > 0 ? t('chats.imported', { n: ids.length }) : t('chats.importedNone'));
  }

  async #hand(title: string, ending: 'md' | 'json', text: Promise<string | null>): Promise<void> {
    const { host, panel, t } = this.#context;
    const made = await text;
    if (made === null) return;
    const name = fileName(title, ending);
    panel.say(t(`exported.${await saveText(host, name, made)}`, { name }));
  }
}
