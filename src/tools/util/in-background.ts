const report = (error: unknown): void => console.error('what ran in the background failed:', error);

/** Work that nobody waits for: its failure goes to `failed`, by default to the console, and ends no program. */
export function inBackground(work: PromiseLike<unknown> | null | undefined, failed: (error: unknown) => void = report): void {
  work?.then(undefined, failed);
}
