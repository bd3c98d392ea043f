import type { ProgramRun } from '../../contract/types.ts';

export interface ProgramRequest {
  readonly language: ProgramRun['language'];
  readonly code: string;
  /** Where it starts, relative to the working folder or absolute, in an allowed folder. Default: the working folder. */
  readonly folder?: string | undefined;
  readonly timeoutSeconds: number;
}

/** A stream's beginning and end; `omitted`: bytes between them that were not kept. */
export interface OutputExcerpt {
  readonly head: string;
  readonly tail: string;
  readonly omitted: number;
}

export interface ProgramEnd {
  /** null where a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: OutputExcerpt;
  readonly stderr: OutputExcerpt;
  readonly durationMs: number;
  /** What it went beyond, and was ended for; absent where it ended by itself. */
  readonly exceeded?: 'time' | 'output' | 'memory' | 'processes';
}

/** Programs on this machine. Whatever ends a run ends all that it started. */
export interface ProgramsPort {
  /** What a command is run with: `sh`, or `cmd` on Windows. */
  readonly shell: 'sh' | 'cmd';
  /** Runs nothing. Rejects with ToolError: `bad_path`, `outside_folders`, `secret_file`, `not_found`, `not_a_file`, `bad_arguments`. */
  prepare(request: ProgramRequest): Promise<ProgramRun>;
  /** Runs what was shown. Rejects with `program_missing`, `aborted`, or `not_found` where the folder is gone. */
  run(program: ProgramRun, signal: AbortSignal): Promise<ProgramEnd>;
}
