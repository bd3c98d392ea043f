import type { ToolArguments } from '../../tools/contract/types.ts';
import type { Span } from '../contract.ts';

/** What a block turned out to ask for, before it has an id of its own. */
export interface RequestDraft {
  readonly requestId?: string;
  readonly toolName: string;
  readonly args: ToolArguments;
  /** Its values stand as text; default: as all of its protocol. */
  readonly isText?: boolean;
  readonly invalid?: string;
  readonly warnings: readonly string[];
  readonly argumentSpans: Readonly<Record<string, Span>>;
}

/** What is reported of a block while it is read. */
export interface BlockListener {
  name(toolName: string): void;
  argument(key: string, text: string): void;
}

/** Reads one block, from just after its opening marker to just after its closing one. */
export interface BlockReader {
  /** What closes the block; a provider that stops there leaves it out. */
  readonly closer: string;
  readonly closed: boolean;
  /** It ended while a value was still open: nothing after it can be trusted to be the model's own. */
  readonly leavesDoubt: boolean;
  /**
   * Reads on from `at` and returns where it stopped, before a few characters whose meaning depends on what follows. They come again
   * with more after them, or with `final` if nothing follows. `offset` is where `text` begins in the answer.
   */
  read(text: string, at: number, offset: number, final: boolean): number;
  /** At least one draft; `interrupted` if the answer ended first. */
  finish(interrupted: boolean): readonly RequestDraft[];
}

/** The calls of other families, which stand beside those of a protocol. */
export interface OtherForms {
  /** The length of the beginning of such a call at `at`, as `markerAt` gives it; `isLine`: only white space stands before it on its line. */
  openingAt(text: string, at: number, isLine: boolean): number;
  /** An answer ended within such a beginning. */
  isCutOpening(text: string): boolean;
  /** From its beginning to the end of the answer: its calls and the text behind them; undefined where it is text after all. */
  read(raw: string): { readonly drafts: readonly RequestDraft[]; readonly rest: string } | undefined;
}

/** How a protocol marks its requests. */
export interface BlockSyntax {
  /** Prefix for the ids of requests that have none of their own. */
  readonly idPrefix: string;
  /** Values stand as text, whatever their type. */
  readonly isText?: boolean;
  /** Opening marker. Like every marker of the text it begins with `<`. */
  readonly opener: string;
  /** The length of a fence at `at`, where a line begins, that opens a block too; 0 or UNDECIDED as `markerAt` gives them. */
  fenceAt?(text: string, at: number): number;
  /** A beginning of a marker that has this many characters, at the end of an answer, is a marker that broke off; a shorter one is text. */
  readonly pieceFrom: number;
  /** Closing markers: outside a block they are not text either. */
  readonly strays: readonly string[];
  /** Without a listener, nobody looks before the end. */
  open(opener: string, listener: BlockListener | undefined): BlockReader;
}
