import type { ProgramRun } from './types.ts';

export interface ProgramRequest {
  readonly language: ProgramRun['language'];
  readonly code: string;
  /** The working folder, relative to the default one or absolute, in an allowed folder. */
  readonly folder?: string | undefined;
  readonly timeoutSeconds: number;
}

/** The beginning and end of a stream; `omitted`: bytes between them that were dropped. */
export interface OutputExcerpt {
  readonly head: string;
  readonly tail: string;
  readonly omitted: number;
}

export interface ProgramEnd {
  /** null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: OutputExcerpt;
  readonly stderr: OutputExcerpt;
  readonly durationMs: number;
  /** The limit that it exceeded, and was ended for; absent if it ended by itself. */
  readonly exceeded?: 'time' | 'output' | 'memory' | 'processes';
}

/** Programs on this machine. Ending a run also ends everything that it started. */
export interface ProgramsPort {
  /** The shell for commands: `sh`, or `cmd` on Windows. */
  readonly shell: 'sh' | 'cmd';
  prepare(request: ProgramRequest): Promise<ProgramRun>;
  /** Runs what was shown. Rejects with `program_missing`, `aborted`, or `not_found` if the folder is gone. */
  run(program: ProgramRun, signal: AbortSignal): Promise<ProgramEnd>;
}
