export const TOUR = { name: 'tour' } as const;
