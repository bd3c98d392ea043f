import { estimateTokenCount } from 'tokenx';

/** Tokens of a text, about: each model counts in its own way. */
export const estimateTokens = (text: string): number => estimateTokenCount(text);
