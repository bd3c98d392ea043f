/** What a part measured over one set. */
export interface EvalRow {
  /** The set, and the version of it that was read. */
  readonly set: string;
  readonly version: string;
  /** What is counted, as a person reads it in the table. */
  readonly measured: string;
  readonly cases: number;
  /** Our figure as printed, and what is wanted of it; `holds` is false where it misses that. */
  readonly ours: string;
  readonly wanted?: string;
  readonly holds: boolean;
  /** Others' figure, and how it was got. */
  readonly peer?: { readonly name: string; readonly figure: string; readonly how: string };
  /** Why it misses, or why less than the whole set was run. */
  readonly reason?: string;
  /** Failed cases, each as a small input. */
  readonly failed: readonly string[];
}

export interface EvalOptions {
  /** All of a fetched set; else the small sample that stands beside the part. */
  readonly full: boolean;
  /** A folder of fetched sets, one folder a set: only with `full`. */
  readonly sets?: string;
}

/** One part of the evaluation: a folder of `eval/`, whose `NAME.ts` exports it. */
export interface EvalPart {
  readonly name: string;
  readonly title: string;
  /** Throws `set_missing: …` with the way to get the set, if `sets` does not hold it. */
  run(options: EvalOptions): Promise<readonly EvalRow[]>;
}
