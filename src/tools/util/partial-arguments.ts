/** Characters of a value that stay: its end, where it grows. */
const MAX_VALUE = 800;
/** The kept end begins at a multiple of this, or after the next line end, so that its beginning does not move with each character. */
const STEP = MAX_VALUE / 2;
/** No tool has more arguments. */
const MAX_ARGUMENTS = 20;
const MAX_NAME = 80;

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '', f: '' };

/** A call's arguments while they arrive, to be shown and never run: texts only, of long ones the end after "…", in linear time. */
export class PartialArguments {
  private readonly values = new Map<string, string>();
  /** Open `{` and `[`, outermost first. */
  private open = '';
  /** In a nested value: a name comes next, not a value. */
  private namesNext = false;
  private quote = '';
  /** Inside a string: the escape so far, `\` or `\u` with its digits. */
  private escape = '';
  private name = '';
  private text = '';
  private reads: 'nothing' | 'name' | 'value' = 'nothing';
  /** The number of characters of the value before `text`. */
  private dropped = 0;

  take(fragment: string): void {
    for (const character of fragment) this.step(character);
  }

  known(): Readonly<Record<string, string>> {
    if (this.reads === 'value') this.keep();
    return Object.fromEntries(this.values);
  }

  private step(character: string): void {
    if (this.quote !== '') this.inString(character);
    else if (this.open === '') this.begin(character);
    else if (this.open.length === 1) this.between(character);
    else this.nested(character);
  }

  private begin(character: string): void {
    if (character !== '{') return;
    this.open = '{';
    this.reads = 'name';
  }

  /** In the object, outside strings and nested values. */
  private between(character: string): void {
    if (character === '"' || character === "'") {
      this.quote = character;
      if (this.reads === 'value') this.text = '';
    } else if (character === ':' && this.reads === 'name') {
      this.name = this.text.trim().slice(0, MAX_NAME);
      this.start('value');
    } else if (character === ',' || character === '}') {
      if (this.reads === 'value') this.keep();
      this.start('name');
      if (character === '}') this.open = '';
    } else if (character === '{' || character === '[') this.nested(character);
    else this.add(character);
  }

  private nested(character: string): void {
    if (character === '"') {
      this.quote = character;
      if (!this.namesNext) this.start('value');
      return;
    }
    if (character === '{' || character === '[') this.open += character;
    if (character === '}' || character === ']') this.open = this.open.slice(0, -1);
    if (character.trim() !== '') this.namesNext = this.open.endsWith('{') && (character === '{' || character === ',');
  }

  private inString(character: string): void {
    if (this.escape !== '') this.inEscape(character);
    else if (character === '\\') this.escape = '\\';
    else if (character === this.quote) {
      this.quote = '';
    } else this.add(character);
  }

  private inEscape(character: string): void {
    this.escape += character;
    const [, kind = ''] = this.escape;
    if (kind === 'u' && this.escape.length < 6) return;
    if (kind === 'u') {
      const code = Number.parseInt(this.escape.slice(2), 16);
      if (!Number.isNaN(code)) this.add(String.fromCharCode(code));
    } else this.add(ESCAPED[kind] ?? character);
    this.escape = '';
  }

  private start(reads: 'name' | 'value'): void {
    this.reads = reads;
    this.text = '';
    this.dropped = 0;
  }

  /** Truncates only at intervals: a text that grows by a character must not be copied each time. */
  private add(character: string): void {
    if (this.quote !== '' && this.namesNext) return;
    this.text += character;
    if (this.text.length < MAX_VALUE * 8) return;
    this.dropped += this.text.length - MAX_VALUE;
    this.text = this.text.slice(-MAX_VALUE);
  }

  private keep(): void {
    if (this.name === '' || (this.values.size >= MAX_ARGUMENTS && !this.values.has(this.name))) return;
    this.values.set(this.name, this.end());
  }

  private end(): string {
    const length = this.dropped + this.text.length;
    if (length <= MAX_VALUE) return this.text.trim();
    const from = (Math.ceil(length / STEP) - 2) * STEP - this.dropped;
    const line = this.text.indexOf('\n', from);
    const text = this.text.slice(line >= 0 && line < from + STEP / 2 ? line + 1 : Math.max(0, from));
    // Half of a surrogate pair would be shown as a box.
    return `…${/^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text}`;
  }
}
