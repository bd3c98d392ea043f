import type { Rating } from '../../../tools/contract/card-review.ts';

/** As in SiYuan's own review. */
export const RATING_KEYS: Readonly<Record<string, Rating>> = { '1': 1, '2': 2, '3': 3, '4': 4 };
