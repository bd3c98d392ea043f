/**
 * Runs for the first click only. After a decision the next card may be under the pointer: the second click of a double click must
 * not decide about what nobody has read. Keys and screen readers click with a count of 0.
 */
export const firstClick =
  (run: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail < 2) run();
  };
