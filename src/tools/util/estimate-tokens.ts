import { estimateTokenCount } from 'tokenx';

/** Approximate tokens of a text: each model counts in its own way. */
export const estimateTokens = (text: string): number => estimateTokenCount(text);

/** Definitions of tools are punctuation for a good part, which small models' tokenizers split more than the estimate says. */
export const DEFINITION_WEIGHT = 1.45;
