import * as v from 'valibot';
import type { UnsavedNotesOptions } from './unsaved-notes.ts';
import type { Writers } from './writers.ts';

const format = v.object({ schema: v.literal(1), draft: v.string(), held: v.array(v.string()) });
type Kept = Pick<v.InferOutput<typeof format>, 'draft' | 'held'>;

const NAME = 'typed';

function read(text: string | null): Kept {
  try {
    return v.parse(format, JSON.parse(text ?? ''));
  } catch {
    return { draft: '', held: [] };
  }
}

/**
 * Words of the user that no chat has yet: in the composer, waiting behind an answer, or on their way into the chat. What a window
 * leaves that was closed stands in the composer of the next one, for its reader to send or to drop.
 */
export class TypedWords {
  private readonly options: UnsavedNotesOptions;
  private words = '';
  private held: readonly { readonly text: string }[] = [];

  constructor(options: UnsavedNotesOptions) {
    this.options = options;
  }

  /** What is typed and not sent. */
  get draft(): string {
    return this.words;
  }

  keepDraft(text: string): void {
    if (text === this.words) return;
    this.words = text;
    this.keep();
  }

  /** Words that were sent; to be called back when a chat has them. */
  hold(text: string): () => void {
    const one = { text };
    this.held = [...this.held, one];
    this.keep();
    return () => {
      this.held = this.held.filter((other) => other !== one);
      this.keep();
    };
  }

  /** Before the first draft. Rejects as `writers` does. */
  async takeOver(writers: Writers): Promise<void> {
    const { notes, prefix } = this.options;
    const names = notes.keys().filter((key) => key.startsWith(prefix) && key.endsWith(`:${NAME}`) && key !== this.key(writers.id));
    if (names.length === 0) return;
    const others = await writers.others();
    const left = names.filter((key) => ![...others].some((writer) => key === this.key(writer)));
    const texts = left.map((key) => read(notes.get(key))).flatMap(({ held, draft }) => [...held, draft]);
    this.keepDraft([...texts, this.words].filter((text) => text.trim() !== '').join('\n\n'));
    for (const key of left) notes.remove(key);
  }

  private key(writer: string): string {
    return `${this.options.prefix}${writer}:${NAME}`;
  }

  private keep(): void {
    const { notes, writer } = this.options;
    const held = this.held.map(({ text }) => text);
    try {
      if (held.length === 0 && this.words.trim() === '') notes.remove(this.key(writer));
      else notes.set(this.key(writer), JSON.stringify({ schema: 1, draft: this.words, held }));
    } catch {
      notes.remove(this.key(writer)); // No room: what stood there is not true any more.
    }
  }
}
