/** A piece of an answer; `was-thought`: all text before it was reasoning, of which only the end is marked. */
export type AnswerPart = { readonly type: 'text' | 'thought'; readonly text: string } | { readonly type: 'was-thought' };

const LONGEST = 64;
const WORD = String.raw`[\w:.-]{0,24}(?:think(?:ing)?|thoughts?|reasoning|scratchpad)[\w:.-]{0,24}`;
/** `<think>`, `<seed:think>`, `<|begin_of_thought|>`, `[THINK]`, `◁think▷`, Gemma's and gpt-oss's channels. */
const OPEN = new RegExp(
  String.raw`^(?:<(${WORD})(?:\s[^<>\n]*)?>|<\|(${WORD})\|>|\[(think)\]|◁(think)▷|<\|channel\|?>(analysis|thought)(?:<\|message\|>|\n)|<unused94>thought)`,
  'iu',
);
/** Precedes the actual answer if there was reasoning before it. */
const ANSWER = /^(?:<(answer|response|solution)>|<\|(begin_of_solution|start_response)\|>|\[BEGIN FINAL RESPONSE\])/iu;
/** gpt-oss: the speaker and the recipient. */
const CHANNEL = /^(?:<\|start\|>assistant)?(?:<\|channel\|>final<\|message\|>|<\|channel\|>commentary<\|message\|>)?/iu;
/** gpt-oss on a server that removes its signs: only the end distinguishes reasoning from an answer about an analysis. */
const BARE = /^\s*analysis(?=\p{Lu}|\p{Script=Han})/u;
const BARE_LENGTH = 'analysis'.length + 2;
const BARE_END = 'assistantfinal';
const LONE = new RegExp(
  String.raw`</(${WORD})>|<\|end_(?:of_)?(?:thinking|think|thought)\|>|\[/think\]|◁/think▷|(?:<\|end\|>)?<\|start\|>assistant<\|channel\|>final<\|message\|>|${BARE_END}`,
  'giu',
);
const TURNS = ['<|end|><|start|>assistant<|channel|>final<|message|>', '<|start|>assistant<|channel|>final<|message|>'];
/** Maximum number of marks that are considered: an answer with more is about marks. */
const MAX_MENTIONS = 8;
/** How reasoning ends: with a sentence, or a drafted call. */
const SENTENCE_END = /(?:[.!?。！？…)）】*}\]]|<\/[\w:]{1,40}>|>>>|[|｜]>|```)$/u;
const CALLS = [
  ['<tool_call>', '</tool_call>'],
  ['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>'],
] as const;
const CALL_STARTS = [
  ...CALLS.map(([start]) => start),
  '```tool_',
  '<|python_tag|>',
  '[TOOL_CALLS]',
  '<|tool_call',
  '<｜tool',
  '<function=',
];

const startsCall = (text: string): boolean => CALL_STARTS.some((mark) => text.trimStart().startsWith(mark));

/** The text after a mark does not decide yet whether it is one. */
function isUndecided(after: string): boolean {
  const text = after.trimStart();
  return text === '' || CALL_STARTS.some((mark) => mark.length > text.length && mark.startsWith(text));
}

const isInCall = (text: string): boolean => CALLS.some(([start, end]) => text.lastIndexOf(start) > text.lastIndexOf(end));

function mayOpen(text: string): boolean {
  if (text.length > LONGEST) return false;
  return /^(?:<[^>\n]*|\[[a-z /]*|◁[a-z/]*|<\|start\|?>?[a-z]*|<\|channel\|?>[a-z]*(?:<[|a-z]*)?)$/iu.test(text);
}

function closesOf([, tag, special, bracket, triangle, channel]: RegExpExecArray): readonly string[] {
  if (tag) return [`</${tag}>`];
  if (special) {
    const bare = special.replace(/^(?:begin|start)_(?:of_)?|_(?:begin|start)$/iu, '');
    return [`<|/${special}|>`, `</|${special}|>`, ...['end_of_', 'end_'].map((word) => `<|${word}${bare}|>`), `<|${bare}_end|>`];
  }
  if (bracket) return ['[/think]'];
  if (triangle) return ['◁/think▷'];
  if (channel) return ['<|end|>', '<|return|>', '<channel|>', '<|start|>', '<|channel|>'];
  return ['<unused95>'];
}

function endOf([, tag, special]: RegExpExecArray): string {
  if (tag) return `</${tag}>`;
  return special
    ? `<|${special.replace(/^begin_of|^start/iu, (word) => (/^b/iu.test(word) ? 'end_of' : 'end'))}|>`
    : '[END FINAL RESPONSE]';
}

/** Where the longest beginning of one of the marks is at the end of a text; its length if there is none. */
function openTail(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map((mark) => mark.length - 1));
  for (let at = Math.max(0, text.length - longest); at < text.length; at += 1) {
    if (marks.some((mark) => mark.startsWith(text.slice(at)))) return at;
  }
  return text.length;
}

/** Tells if the next character after this Markdown would be code. */
function endsInCode(text: string): boolean {
  let fence = '';
  for (const line of text.split('\n')) {
    const [, marks = ''] = /^[\s>]*(`{3,}|~{3,})/u.exec(line) ?? [];
    if (marks === '') continue;
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence)) fence = '';
  }
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return fence !== '' || last.split('`').length % 2 === 0;
}

/** Separates reasoning from text by position: marks count at the beginning of an answer or as a lone end, never in code or in a sentence about a mark. */
export class ThoughtSplitter {
  private state: 'start' | 'thought' | 'text' = 'start';
  private held = '';
  private closes: readonly string[] = [];
  /** All text so far, while an end mark without a beginning may still come. */
  private before: string | undefined = '';
  private bare: boolean | undefined;
  private thought = false;
  private mentions = 0;
  private begins = true;
  private space = '';
  private end = '';
  private parts: AnswerPart[] = [];

  take(piece: string): readonly AnswerPart[] {
    this.held += piece;
    this.read(false);
    return this.takeParts();
  }

  finish(): readonly AnswerPart[] {
    this.read(true);
    if (this.state !== 'thought') this.emit(this.held);
    else if (openTail(this.held, this.closes) === this.held.length) this.emit(this.held);
    this.held = '';
    return this.takeParts();
  }

  private takeParts(): readonly AnswerPart[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private read(final: boolean): void {
    for (let state: string | undefined; state !== this.state; ) {
      state = this.state;
      if (state === 'start') this.readStart(final);
      else if (state === 'thought') this.readThought();
      if (this.state === 'text') this.readText(final);
    }
  }

  private readStart(final: boolean): void {
    const text = this.held.trimStart();
    if (text === '') return;
    const [channel = ''] = CHANNEL.exec(text) ?? [];
    if (channel !== '' && !OPEN.test(text) && (final || !mayOpen(text))) {
      this.held = text.slice(channel.length);
      this.thought = true;
      this.end = '<|return|>';
      if (channel.toLowerCase().includes('final')) this.state = 'text';
      else this.readStart(final);
      return;
    }
    const opened = OPEN.exec(text);
    if (opened !== null) {
      this.openThought(opened, text.slice(opened[0].length));
      return;
    }
    const answer = this.thought ? ANSWER.exec(text) : null;
    if (answer !== null) {
      this.end = endOf(answer);
      this.held = text.slice(answer[0].length);
      this.state = 'text';
      return;
    }
    if (!final && mayOpen(text)) return;
    if (this.thought) this.held = text;
    this.state = 'text';
  }

  private openThought(opened: RegExpExecArray, rest: string): void {
    this.closes = closesOf(opened);
    this.held = rest;
    this.state = 'thought';
    this.thought = true;
    this.begins = true;
  }

  private readThought(): void {
    const lower = this.held.toLowerCase();
    let from = 0;
    for (;;) {
      const found = this.closes.map((mark) => [lower.indexOf(mark.toLowerCase(), from), mark] as const).filter(([at]) => at >= 0);
      const [at, mark] = found.sort(([one], [other]) => one - other)[0] ?? [-1, ''];
      if (at < 0) break;
      const isQuoted = this.held[at - 1] === '`';
      if (isQuoted && at + mark.length === this.held.length) {
        this.emitThought(at - 1);
        return;
      }
      if (isQuoted && this.held[at + mark.length] === '`') {
        from = at + mark.length;
        continue;
      }
      this.emitThought(at);
      // The next speaker is parsed again.
      const isNext = mark === '<|start|>' || mark === '<|channel|>';
      this.held = this.held.slice(isNext ? 0 : mark.length).trimStart();
      this.space = '';
      this.begins = true;
      this.state = 'start';
      return;
    }
    const tail = openTail(
      lower,
      this.closes.map((mark) => mark.toLowerCase()),
    );
    this.emitThought(this.held[tail - 1] === '`' ? tail - 1 : tail);
  }

  private emitThought(until: number): void {
    const text = this.space + this.held.slice(0, until);
    this.held = this.held.slice(until);
    const words = this.begins ? text.trimStart() : text;
    const thought = words.trimEnd();
    this.space = words.slice(thought.length);
    if (thought === '') return;
    this.begins = false;
    this.parts.push({ type: 'thought', text: thought });
  }

  private readText(final: boolean): void {
    if (this.end !== '') {
      this.readToEnd(final);
      return;
    }
    if (this.thought || this.before === undefined) {
      this.emit(this.held);
      this.held = '';
      return;
    }
    for (const found of this.held.matchAll(LONE)) {
      const after = this.held.slice(found.index + found[0].length);
      if (!final && isUndecided(after)) {
        this.emitUntil(found.index);
        return;
      }
      if (!this.isLone(found, after)) {
        this.mentions += 1;
        if (this.mentions < MAX_MENTIONS) continue;
        this.before = undefined;
        this.readText(final);
        return;
      }
      this.closeLone(this.held.slice(0, found.index), after);
      return;
    }
    this.emitUntil(final ? this.held.length : this.safeEnd());
  }

  private safeEnd(): number {
    const { held } = this;
    if (this.isBare()) return openTail(held, [BARE_END]);
    const at = Math.max(held.lastIndexOf('<'), held.lastIndexOf('['), held.lastIndexOf('◁'));
    if (at < 0 || held.length - at > LONGEST) return held.length;
    const turn = openTail(held.toLowerCase(), TURNS);
    if (turn < held.length) return turn;
    const mark = held.slice(at);
    return mayOpen(mark) || (/^<[/|]/u.test(mark) && !mark.includes('>')) ? at : held.length;
  }

  /** Called for each piece: once the beginning decides, the whole text is not read again. */
  private isBare(): boolean {
    if (this.bare !== undefined) return this.bare;
    const bare = BARE.test(this.before || this.held);
    if ((this.before ?? '').trimStart().length >= BARE_LENGTH) this.bare = bare;
    return bare;
  }

  private isLone(found: RegExpExecArray, after: string): boolean {
    const before = `${this.before ?? ''}${this.held.slice(0, found.index)}`;
    if (found[0] === BARE_END) return BARE.test(before);
    if (before.trim() === '') return true;
    const [, tag] = found;
    const isOpened = tag !== undefined && before.toLowerCase().includes(`<${tag.toLowerCase()}>`);
    if (isOpened || endsInCode(before)) return false;
    if (startsCall(after)) return true;
    if (isInCall(before)) return false;
    if (/\n[ \t]*$/u.test(before) && /^(?:\s|$|\p{L}|\p{N}|[<#*\-[|])/u.test(after)) return true;
    const isBehindSentence = SENTENCE_END.test(before.trimEnd());
    if (isBehindSentence && !/^[`'"”’」)）.,;:!?，。；：！？]/u.test(after)) return true;
    return /^\s*\n/u.test(after) && /[^\s:："'`“「(（]$/u.test(before);
  }

  private closeLone(rest: string, after: string): void {
    this.held = '';
    const wasSaid = `${this.before ?? ''}${rest}`.trim() !== '';
    this.emit(rest);
    if (wasSaid) this.parts.push({ type: 'was-thought' });
    this.thought = true;
    this.before = undefined;
    this.held = after.trimStart();
    this.state = 'start';
  }

  private emitUntil(end: number): void {
    this.before += this.held.slice(0, end);
    this.emit(this.held.slice(0, end));
    this.held = this.held.slice(end);
  }

  /** Closing marks of the answer are only at its end. */
  private readToEnd(final: boolean): void {
    const trimmed = this.held.trimEnd();
    const tail = openTail(trimmed.toLowerCase(), [`${this.end.toLowerCase()} `]);
    if (final && tail < trimmed.length) this.held = trimmed.slice(0, tail).trimEnd();
    const until = final ? this.held.length : Math.min(tail, trimmed.length);
    this.emit(this.held.slice(0, until));
    this.held = this.held.slice(until);
  }

  private emit(text: string): void {
    if (text !== '') this.parts.push({ type: this.state === 'thought' ? 'thought' : 'text', text });
  }
}

/** A whole answer without its reasoning. */
export function withoutThoughts(answer: string): string {
  const splitter = new ThoughtSplitter();
  let text = '';
  for (const part of [...splitter.take(answer), ...splitter.finish()]) {
    if (part.type === 'was-thought') text = '';
    else if (part.type === 'text') text += part.text;
  }
  return text;
}
