import { estimateTokenCount } from 'tokenx';

/** Approximate tokens of a text: each model counts differently. */
export const estimateTokens = (text: string): number => estimateTokenCount(text);

/** Tool definitions contain much punctuation, which small models' tokenizers split more than the estimate assumes. */
export const DEFINITION_WEIGHT = 1.45;
