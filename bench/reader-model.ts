import type { Complete, CompletionResult, Message, ToolCall } from '../src/tools/contract/messages.ts';
import type { Random } from './random.ts';

const ID = String.raw`\d{14}-[0-9a-z]{7}`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A model that reads notes as a person's assistant does: it searches, opens what it found, reads on, and now and then
 * lists, looks into a variable, calculates or writes. It knows only what the tool messages say.
 */
export class ReaderModel {
  private readonly random: Random;
  private readonly words: readonly string[];
  /** Calls that this turn may still make. */
  private callsLeft = 0;
  private seen = 0;
  private documents: readonly string[] = [];
  private notebooks: readonly string[];
  private variables: readonly string[] = [];
  private readOn: { readonly id: string; readonly start: number } | undefined;
  private lastText = '';

  /** `words`: what it may ask about; `notebook`: the one that its user named. */
  constructor(random: Random, words: readonly string[], notebook: string) {
    this.random = random;
    this.words = words;
    this.notebooks = [notebook];
  }

  /** The first answer of a turn that makes `calls` calls. */
  begin(calls: number): CompletionResult {
    this.callsLeft = calls;
    this.seen = 0;
    return this.answer([]);
  }

  readonly complete: Complete = (request) => Promise.resolve(this.answer(request.messages));

  /** A few words of the documents, as a person would ask about them. */
  phrase(count: number): string {
    return Array.from({ length: count }, () => this.random.pick(this.words) ?? 'notes').join(' ');
  }

  private answer(messages: readonly Message[]): CompletionResult {
    const results = messages.filter(({ role }) => role === 'tool');
    for (const { content } of results.slice(this.seen)) this.look(content);
    this.seen = results.length;
    const count = Math.min(this.callsLeft, 1 + this.random.below(3));
    this.callsLeft -= count;
    const tool_calls = Array.from({ length: count }, (_, index) => this.call(results.length === 0 && index === 0));
    const content = count === 0 ? this.finalText() : this.random.next() < 0.5 ? '' : `I will look for ${this.phrase(3)} in your notes.`;
    return { content, tool_calls, finishReason: count === 0 ? 'stop' : 'tool_calls' };
  }

  private look(content: string): void {
    const found = [...content.matchAll(new RegExp(`^ *\\S.* \\[(${ID})\\](?: in .+)?$`, 'gmu'))].map(([, id = '']) => id);
    if (found.length > 0) this.documents = found;
    const notebook = new RegExp(`\\[(${ID})\\]: \\d+ documents`, 'u').exec(content)?.[1];
    if (notebook !== undefined) this.notebooks = [notebook];
    const variable = /kept as \$VAR_REF\{\{([^}]+)\}\}/u.exec(content)?.[1];
    if (variable !== undefined) this.variables = [...this.variables.slice(-9), variable];
    const read = new RegExp(`^# .* \\[(${ID})\\]`, 'mu').exec(content)?.[1];
    if (read === undefined) return;
    this.lastText = content.replaceAll(/@@\S+ /gu, '');
    const next = /^next: .*start=(\d+) /mu.exec(content)?.[1];
    this.readOn = next === undefined ? undefined : { id: read, start: Number(next) };
  }

  private call(first: boolean): ToolCall {
    const [name, args] = first ? this.search() : this.choose();
    return { id: this.callId(), type: 'function', function: { name, arguments: JSON.stringify(args) } };
  }

  private choose(): readonly [string, object] {
    const dice = this.random.next();
    const document = this.random.pick(this.documents);
    if (dice < 0.45 && document !== undefined) return ['read_doc', { id: document }];
    if (dice < 0.6 && this.readOn !== undefined) return ['read_doc', this.readOn];
    if (dice < 0.65) return ['list_docs', { parent: this.random.pick(this.notebooks), depth: 1 + this.random.below(3) }];
    const variable = this.random.pick(this.variables);
    if (dice < 0.7 && variable !== undefined) return ['ReadVar', { name: variable, start: 0, length: 2000 }];
    if (dice < 0.74 && document !== undefined) {
      return ['insert_blocks', { anchor: document, position: 'append', markdown: this.sentence() }];
    }
    if (dice < 0.76) return ['calculate', { expression: `${this.random.below(1000)} * 1.21 + ${this.random.below(100)}` }];
    return this.search();
  }

  private search(): readonly [string, object] {
    return ['search_notes', { query: this.phrase(1 + this.random.below(2)) }];
  }

  private sentence(): string {
    const start = this.random.below(Math.max(1, this.lastText.length - 300));
    return (
      this.lastText
        .slice(start, start + 300)
        .replaceAll(/\s+/gu, ' ')
        .trim() || this.phrase(20)
    );
  }

  private finalText(): string {
    const source = this.random.pick(this.documents);
    return `${this.sentence()}${source === undefined ? '' : ` ((${source} "${this.phrase(2)}"))`}\n\n${this.sentence()}`;
  }

  /** As long as the ids that OpenAI gives. */
  private callId(): string {
    return `call_${Array.from({ length: 24 }, () => LETTERS[this.random.below(LETTERS.length)]).join('')}`;
  }
}
