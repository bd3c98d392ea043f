/** Hides a block from the model: the right of its notebook, or a guard on its note, a note above, itself or a block around it. */
export type KeptBack =
  | { readonly by: 'notebook'; readonly id: string; readonly name: string }
  | { readonly by: 'note'; readonly name: string }
  | { readonly by: 'block' };

/** Explains to the person, who sees the block anyway, why models may not read it; undefined if unknown. Never rejects. */
export type WhyKeptBack = (id: string, signal: AbortSignal) => Promise<KeptBack | undefined>;
