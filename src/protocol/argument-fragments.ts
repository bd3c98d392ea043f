import type { JsonSchema } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';
import { coerceArguments } from '../tools/executor/arguments.ts';
import { schemaAllows } from '../tools/util/schema.ts';
import { isMixed, nodeOf } from './text-values.ts';

/**
 * The arguments of a request being written, as fragments of JSON text, so that readers of native call fragments
 * can read them too. Text is passed on as it arrives; other values (a number, a list) wait until they are complete and have a type.
 */
export class ArgumentFragments {
  private readonly schema: JsonSchema | undefined;
  private readonly send: (fragment: string) => void;
  private readonly sent = new Set<string>();
  /** The argument whose value is being written; `text` if it waits. */
  private open: { readonly key: string; readonly isText: boolean; readonly isMixed: boolean; text: string } | undefined;
  private begun = false;

  constructor(schema: JsonSchema | undefined, send: (fragment: string) => void) {
    this.schema = schema;
    this.send = send;
  }

  /** Another piece of the value of `key`. */
  take(key: string, text: string): void {
    if (this.open?.key !== key) {
      this.closeValue();
      const node = nodeOf(this.schema, key);
      const isText = node === undefined || (schemaAllows(node, 'string') && !isMixed(node));
      this.open = { key, isText, isMixed: isMixed(node), text: '' };
      if (isText) this.send(`${this.nameOf(key)}"`);
    }
    if (this.open.isText) this.send(JSON.stringify(text).slice(1, -1));
    else this.open.text += text;
  }

  /** The end; `args` as they are run. */
  end(args: ToolArguments): void {
    this.closeValue();
    for (const [key, value] of Object.entries(args)) if (!this.sent.has(key)) this.sendValue(key, value);
    this.send(this.begun ? '}' : '{}');
  }

  private closeValue(): void {
    const { open } = this;
    this.open = undefined;
    if (open?.isText) this.send('"');
    // Its type is known when the whole request has been read.
    else if (open && !open.isMixed && open.text.trim() !== 'null')
      for (const [key, value] of Object.entries(coerceArguments({ [open.key]: open.text }, this.schema ?? {}))) this.sendValue(key, value);
  }

  private sendValue(key: string, value: unknown): void {
    this.send(`${this.nameOf(key)}${JSON.stringify(value)}`);
  }

  private nameOf(key: string): string {
    this.sent.add(key);
    const before = this.begun ? ',' : '{';
    this.begun = true;
    return `${before}${JSON.stringify(key)}:`;
  }
}
