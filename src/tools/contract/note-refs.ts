export interface DocumentRef {
  readonly id: string;
  readonly title: string;
  /** Human-readable path. */
  readonly path: string;
}

export interface NotebookRef {
  readonly id: string;
  readonly name: string;
}
