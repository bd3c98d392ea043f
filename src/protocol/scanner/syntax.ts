import type { ParsedToolRequest } from '../contract.ts';

export interface RequestDraft extends Pick<ParsedToolRequest, 'toolName' | 'args' | 'isText' | 'invalid' | 'warnings' | 'argumentSpans'> {
  readonly requestId?: string;
}

export interface BlockListener {
  name(toolName: string): void;
  argument(key: string, text: string): void;
}

/** Parses one block, from directly after its opening marker to directly after its closing one. */
export interface BlockReader {
  /** What closes the block; a provider that stops there omits it. */
  readonly closer: string;
  readonly closed: boolean;
  /** It ended while a value was still open: the following text may not be the model's own. */
  readonly leavesDoubt: boolean;
  /** Continues from `at`, and returns where it stopped: before characters whose meaning depends on the next ones. */
  read(text: string, at: number, offset: number, final: boolean): number;
  /** At least one draft; `interrupted` if the answer ended first. */
  finish(interrupted: boolean): readonly RequestDraft[];
}

export interface OtherForms {
  /** The length of the beginning of such a call at `at`, like `markerAt`; `isLine`: only white space precedes it on its line. */
  openingAt(text: string, at: number, isLine: boolean): number;
  isCutOpening(text: string): boolean;
  /** From its beginning to the end of the answer: its calls and the text after them; undefined if it is text after all. */
  read(raw: string): { readonly drafts: readonly RequestDraft[]; readonly rest: string } | undefined;
}

export interface BlockSyntax {
  readonly idPrefix: string;
  readonly isText?: boolean;
  /** Opening marker. Like every marker it begins with `<`. */
  readonly opener: string;
  /** The length of a fence at `at`, at the start of a line, that opens a block too; 0 or UNDECIDED like `markerAt`. */
  fenceAt?(text: string, at: number): number;
  /** At the end of an answer, a beginning of a marker with this many characters is a truncated marker; a shorter one is text. */
  readonly pieceFrom: number;
  /** Closing markers: outside a block they are not text either. */
  readonly strays: readonly string[];
  /** Without a listener, only the end is inspected. */
  open(opener: string, listener: BlockListener | undefined): BlockReader;
}
