/** What hides a block from the model: the right of its notebook, or a guard on its note, a note above, itself or a block around it. */
export type KeptBack =
  | { readonly by: 'notebook'; readonly id: string; readonly name: string }
  | { readonly by: 'note'; readonly name: string }
  | { readonly by: 'block' };

/**
 * Why a block in the person's own editor may not be read; undefined if there is no known reason. Only for the person, who sees the block
 * anyway: models and tools get `not_found`. Never rejects.
 */
export type WhyKeptBack = (id: string, signal: AbortSignal) => Promise<KeptBack | undefined>;
