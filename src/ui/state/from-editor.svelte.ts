import { withOwnIds } from '../../chat/session/contexts.ts';
import type { AttachedContext, ChatContext } from '../../chat/session/types.ts';
import type { ContextChoice } from '../ports/context-choice.ts';
import type { HostUi } from '../ports/host-ui.ts';
import type { ChatState, SettingsState } from './chat-state.svelte.ts';

interface FromEditorDeps {
  readonly host: Pick<HostUi, 'openNote' | 'selection' | 'editorMark' | 'readContext'>;
  readonly chat: Pick<ChatState, 'view'>;
  readonly options: Pick<SettingsState, 'settings' | 'groups'>;
}

/** The name alone helps only a model that can read the note. */
const READS = 'read_doc';

const SELECTED_NOW = 'selected-now';

/** The note and selection in the editor: the note's name and the selected text are sent with a question, unless they are removed. */
export class FromEditor {
  /** The open note, if it may be read. */
  note: ContextChoice | undefined = $state.raw();
  readonly deps: FromEditorDeps;
  #selected: ContextChoice | undefined = $state.raw();
  /** What the person chose for the next question; undefined: as the settings say. */
  #wanted: boolean | undefined = $state();
  /** The selection that was taken off, or has been sent. */
  #done: string | undefined = $state();
  /** Of the editor as it was looked at last. */
  #mark: string | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: FromEditorDeps) {
    this.deps = deps;
  }

  /** Whether the model could do something with the name of a note. */
  get canName(): boolean {
    const { chat, options } = this.deps;
    const { marks } = chat.view.model;
    const reads = options.groups.some(({ tools }) => tools.some(({ name, callable }) => name === READS && callable));
    return reads && options.settings.toolCalls.enabled && (marks === undefined || marks.type === 'chat');
  }

  get named(): ContextChoice | undefined {
    const { options } = this.deps;
    const isOn = this.#wanted ?? options.settings.fromEditor;
    return isOn && this.canName && !this.isAttached ? this.note : undefined;
  }

  /** The note goes along with its text. */
  get isAttached(): boolean {
    return this.deps.chat.view.contexts.some(({ id }) => id === this.note?.id);
  }

  /** The words that go with the next question. */
  get selected(): ContextChoice | undefined {
    const { chat, options } = this.deps;
    const one = this.#selected;
    const { marks } = chat.view.model;
    if (!one || one.text === this.#done || !options.settings.fromEditor || (marks && marks.type !== 'chat')) return undefined;
    return this.#attached(one) ? undefined : one;
  }

  /** What is attached already and says the same: these words, or the block that is selected as a whole, as SiYuan does for a block's menu. */
  #attached(selected: ContextChoice): AttachedContext | undefined {
    return this.deps.chat.view.contexts.find(({ kind, id, title, text }) =>
      kind === 'block' ? id === selected.id && title === selected.title : kind === 'selection' && text === selected.text,
    );
  }

  /** The same as a chip. */
  get chips(): readonly AttachedContext[] {
    const { selected } = this;
    if (!selected) return [];
    const { kind, id, title, text = '' } = selected;
    return withOwnIds([{ kind, id, title, text, contextId: SELECTED_NOW }]);
  }

  /** For the next question alone. */
  choose(isNamed: boolean): void {
    this.#wanted = isNamed;
  }

  leaveSelection(): void {
    this.#done = this.#selected?.text;
  }

  /** The person removed this: the same words are not added again as the selection. */
  tookOff(contextId: string): void {
    const one = this.#selected;
    if (contextId === SELECTED_NOW || (one && this.#attached(one)?.contextId === contextId)) this.leaveSelection();
  }

  /** Looks at the editor again; a host that does not answer offers nothing, and the next request to it will report why. */
  look(): Promise<void> {
    this.#looking = this.#look();
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { host } = this.deps;
    const mark = host.editorMark();
    this.#mark = mark;
    const nothing = (): undefined => undefined;
    const [note, selected] = await Promise.all([host.openNote().catch(nothing), host.selection().catch(nothing)]);
    // Another look has begun since.
    if (mark !== this.#mark) return;
    this.note = note;
    if (selected?.text !== this.#selected?.text) this.#done = undefined;
    this.#selected = selected;
  }

  /** Looks again where something changed; a look that is under way is waited for. */
  async follow(): Promise<void> {
    await (this.deps.host.editorMark() === this.#mark ? this.#looking : this.look());
  }

  /** What goes with a question that is sent now, read now. Rejects with ToolError where what is selected may no longer be read. */
  async going(): Promise<readonly ChatContext[]> {
    const { host } = this.deps;
    await this.follow();
    const { named, selected } = this;
    const open = named ? await host.readContext({ ...named, kind: 'open' }).catch(() => undefined) : undefined;
    return [...(open ? [open] : []), ...(selected ? [await host.readContext(selected)] : [])];
  }

  /** The same for a question that is sent: what was chosen was for it alone, and its selection does not go with the next one. */
  async take(): Promise<readonly ChatContext[]> {
    const going = await this.going();
    this.#wanted = undefined;
    if (going.some(({ kind }) => kind === 'selection')) this.leaveSelection();
    return going;
  }
}
