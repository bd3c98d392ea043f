import { estimateTokenCount } from 'tokenx';

/** Approximate tokens of a text: each model counts in its own way. */
export const estimateTokens = (text: string): number => estimateTokenCount(text);
