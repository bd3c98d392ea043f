/** How much is measured; the figures, their names and their limits are the same in every size. */
export interface BenchSize {
  /** The baseline runs beside ours, interleaved; the median of so many is printed. */
  readonly runs: number;
  /** Characters of the shorter text of ratio 4; the longer one has twice as many. */
  readonly growth: number;
  /** The naive way of ratio 3 is also measured with every piece, and each frame's work is traced. */
  readonly thorough: boolean;
  /** Questions sent in each chat of ratio 7; the first third only compiles. */
  readonly sendRounds: number;
  /** Chats that are searched and listed. */
  readonly chats: number;
  /** Blocks of the workspace (measured again with twice as many), and of its long notes, shortest first. */
  readonly notebook: { readonly blocks: number; readonly notes: readonly number[] };
  /** Sizes of the workspace in which questions are timed, in blocks; and a folder of other questions and notes. */
  readonly finding: { readonly blocks: readonly number[]; readonly sets?: string };
}

export const FULL: BenchSize = {
  runs: 5,
  growth: 50_000,
  thorough: true,
  sendRounds: 60,
  chats: 10_000,
  notebook: { blocks: 50_000, notes: [1000, 5000, 20_000] },
  finding: { blocks: [10_000, 100_000] },
};
/** Within three minutes: to see whether a change broke a ratio, not to quote one. */
export const QUICK: BenchSize = {
  runs: 1,
  growth: 25_000,
  thorough: false,
  sendRounds: 24,
  chats: 2000,
  notebook: { blocks: 10_000, notes: [200, 1000, 4000] },
  finding: { blocks: [10_000] },
};
