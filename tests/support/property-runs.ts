/** `MARGINALIA_FUZZ=full` runs what is random in its long form. */
export const full = process.env.MARGINALIA_FUZZ === 'full';

/** How many random cases a property is tried with: `short` in every run of the tests. */
export const runCount = (short: number, long: number): number => (full ? long : short);
