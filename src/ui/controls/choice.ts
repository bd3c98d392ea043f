/** A choice of a filter. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}
