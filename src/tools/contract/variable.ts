import type { NoteSource } from './provenance.ts';

export type VariableType = 'ToolCallResult' | 'ToolCallArgs' | 'RULE' | 'LLMAdd' | 'UserAdd';

/** A value that is kept by name beside a chat; also its saved shape. */
export interface Variable {
  readonly name: string;
  readonly type: VariableType;
  readonly value: string;
  readonly desc?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** Ids of the notebooks that the value came from. */
  readonly notebooks?: readonly string[];
  /** The parts of the notes that it came from. */
  readonly sources?: readonly NoteSource[];
  /** The message in which the model wrote it, with all before it that the message had before it. */
  readonly node?: string;
  readonly pinned?: boolean;
  /** It is private, from a file or a program: once a chat has it, what leaves the machine is always shown. */
  readonly isPrivate?: boolean;
}
