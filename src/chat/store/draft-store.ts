import * as v from 'valibot';
import { Listeners } from '../../tools/util/notify.ts';
import { NOTHING_ATTACHED } from '../session/contexts.ts';
import { attachmentsFormat, contextsFormat } from '../session/saved-format.ts';
import type { Attached } from '../session/types.ts';
import type { RecoveryLogOptions } from './recovery-log.ts';
import type { WindowRegistry } from './window-registry.ts';

/** If the attachments cannot be read, the text is kept anyway. */
const attachedFormat: v.GenericSchema<unknown, Attached> = v.fallback(
  v.object({ contexts: contextsFormat, attachments: attachmentsFormat }),
  NOTHING_ATTACHED,
);
const format = v.object({
  schema: v.literal(1),
  draft: v.string(),
  held: v.array(v.string()),
  drafts: v.optional(v.record(v.string(), v.string()), {}),
  attached: v.optional(attachedFormat, NOTHING_ATTACHED),
  attachedTo: v.optional(v.record(v.string(), attachedFormat), {}),
});
type SavedDrafts = Omit<v.InferOutput<typeof format>, 'schema'>;

const NAME = 'typed';

function read(text: string | null): SavedDrafts {
  try {
    return v.parse(format, JSON.parse(text ?? ''));
  } catch {
    return { draft: '', held: [], drafts: {}, attached: NOTHING_ATTACHED, attachedTo: {} };
  }
}

const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n');

const isEmpty = ({ contexts, attachments }: Attached): boolean => contexts.length === 0 && attachments.length === 0;

function together(left: Attached, right: Attached): Attached {
  const contexts = right.contexts.filter(({ contextId }) => left.contexts.every((one) => one.contextId !== contextId));
  const attachments = right.attachments.filter(({ id }) => left.attachments.every((one) => one.id !== id));
  return { contexts: [...left.contexts, ...contexts], attachments: [...left.attachments, ...attachments] };
}

/** Unsent text and attachments, each draft with its chat; the next window shows what a closed one left, to be sent or deleted. */
export class DraftStore {
  /** What was typed into forms, by form, while the program runs. */
  readonly forms = new Map<string, object>();
  private readonly options: RecoveryLogOptions;
  private words = '';
  /** Drafts of chats that are not open, by id; '' for a chat without messages. */
  private drafts: Readonly<Record<string, string>> = {};
  private beside = NOTHING_ATTACHED;
  private attachedTo: Readonly<Record<string, Attached>> = {};
  /** One chat was left and the next one is not open yet. */
  private between = false;
  private readonly listeners = new Listeners<[draft: string]>();
  private held: readonly { readonly text: string }[] = [];

  constructor(options: RecoveryLogOptions) {
    this.options = options;
  }

  get draft(): string {
    return this.words;
  }

  keepDraft(text: string): void {
    if (text === this.words) return;
    this.words = text;
    this.keep();
  }

  get attached(): Attached {
    return this.beside;
  }

  keepAttached(attached: Attached): void {
    this.beside = attached;
    this.keep();
  }

  /** Changes the attachments of a chat's draft. `open` is the chat whose draft is in the composer, unless it is just being left. */
  attachTo(chat: string, open: string, change: (attached: Attached) => Attached): void {
    if (chat === open && !this.between) this.beside = change(this.beside);
    else this.attachedTo = { ...this.attachedTo, [chat]: change(this.attachedTo[chat] ?? NOTHING_ATTACHED) };
    this.keep();
  }

  /** Calls back when text is put into the composer that was not typed there just now; returns a function that stops listening. */
  subscribe(listener: (draft: string) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Puts text back into the composer, before what is there. */
  putBack(text: string): void {
    this.replace(joinTexts(text, this.words));
  }

  leave(chat: string): void {
    this.between = true;
    if (this.words.trim() !== '') this.drafts = { ...this.drafts, [chat]: this.words };
    if (!isEmpty(this.beside)) this.attachedTo = { ...this.attachedTo, [chat]: this.beside };
    this.beside = NOTHING_ATTACHED;
    this.replace('');
  }

  /** The chat is opened: its draft is shown in the composer again. */
  enter(chat: string): void {
    this.between = false;
    const { [chat]: draft = '', ...others } = this.drafts;
    this.drafts = others;
    const { [chat]: attached = NOTHING_ATTACHED, ...attachedTo } = this.attachedTo;
    this.attachedTo = attachedTo;
    if (!isEmpty(attached)) this.keepAttached(together(attached, this.beside));
    if (draft !== '') this.replace(joinTexts(draft, this.words));
  }

  /** Sent text; call the returned function when a chat has saved it. */
  hold(text: string): () => void {
    const one = { text };
    this.held = [...this.held, one];
    this.keep();
    return () => {
      this.held = this.held.filter((other) => other !== one);
      this.keep();
    };
  }

  /** To be called before the first draft. Rejects like `writers`. */
  async adoptDrafts(writers: WindowRegistry): Promise<void> {
    const { notes, prefix } = this.options;
    const names = notes.keys().filter((key) => key.startsWith(prefix) && key.endsWith(`:${NAME}`) && key !== this.key(writers.id));
    if (names.length === 0) return;
    const others = await writers.others();
    const left = names.filter((key) => ![...others].some((writer) => key === this.key(writer)));
    const found = left.map((key) => read(notes.get(key)));
    for (const { drafts, attached, attachedTo } of found) {
      for (const [chat, draft] of Object.entries(drafts))
        this.drafts = { ...this.drafts, [chat]: joinTexts(this.drafts[chat] ?? '', draft) };
      for (const [chat, one] of Object.entries(attachedTo))
        this.attachedTo = { ...this.attachedTo, [chat]: together(this.attachedTo[chat] ?? NOTHING_ATTACHED, one) };
      this.beside = together(this.beside, attached);
    }
    this.words = joinTexts(...found.flatMap(({ held, draft }) => [...held, draft]), this.words);
    // Also without text: attachments and other chats' drafts are in what is removed below.
    this.keep();
    for (const key of left) notes.remove(key);
  }

  private key(writer: string): string {
    return `${this.options.prefix}${writer}:${NAME}`;
  }

  private replace(words: string): void {
    this.words = words;
    this.keep();
    this.listeners.call(words);
  }

  private keep(): void {
    const { notes, writer } = this.options;
    const { drafts, beside: attached, attachedTo } = this;
    const held = this.held.map(({ text }) => text);
    const noFiles = isEmpty(attached) && Object.keys(attachedTo).length === 0;
    const nothing = noFiles && held.length === 0 && this.words.trim() === '' && Object.keys(drafts).length === 0;
    const words = { schema: 1, draft: this.words, held, drafts };
    // Without room for both, the text is saved: files can be attached again, text cannot be recovered.
    const tries = nothing ? [] : [...(noFiles ? [] : [{ ...words, attached, attachedTo }]), words];
    for (const kept of tries) {
      try {
        notes.set(this.key(writer), JSON.stringify(kept));
        return;
      } catch {
        notes.remove(this.key(writer)); // No room: the stored draft is out of date.
      }
    }
    notes.remove(this.key(writer));
  }
}
