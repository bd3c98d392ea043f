/** The type of its tab. */
export const TESTER_TAB = 'tester';
