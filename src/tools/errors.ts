/**
 * The one error class for expected failures. A model and a person read the same sentence:
 * `code: what happened → what to do next` (ARCHITECTURE.md, "Errors are for the next step").
 */
export class ToolError extends Error {
  readonly code: string;
  readonly next: string;
  /** What caused it, for logs only; never shown to the model. */
  readonly detail: string | undefined;
  /** Text of notes that it is about. Never part of the sentence: the model reads it framed as data, as it reads results. */
  readonly quoted: string | undefined;

  constructor(code: string, message: string, next: string, detail?: string, quoted?: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.next = next;
    this.detail = detail;
    this.quoted = quoted;
  }

  /** The line that goes to the model. */
  override toString(): string {
    return `${this.code}: ${this.message} → ${this.next}`;
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error instanceof ToolError && error.code === 'aborted'));
}

/** Turns whatever was thrown into a ToolError, so that no failure loses its next step. */
export function toToolError(error: unknown, code = 'internal'): ToolError {
  if (error instanceof ToolError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isAbort(error)) return new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
  return new ToolError(code, message || 'something failed without a message', 'try another way or tell the user what failed');
}
