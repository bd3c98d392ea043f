/** What keeps a block from the model: the right of its notebook, or the guard of its note (or one above it), of itself or a block around it. */
export type KeptBack =
  | { readonly by: 'notebook'; readonly id: string; readonly name: string }
  | { readonly by: 'note'; readonly name: string }
  | { readonly by: 'block' };

/**
 * Why a block of the person's own editor may not be read; undefined where nothing says so. For the person alone, who sees the block
 * anyway: models and tools get `not_found`. Never rejects.
 */
export type WhyKeptBack = (id: string, signal: AbortSignal) => Promise<KeptBack | undefined>;
