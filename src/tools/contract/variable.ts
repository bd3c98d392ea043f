import type { NoteSource } from './provenance.ts';

export type VariableType = 'ToolCallResult' | 'ToolCallArgs' | 'RULE' | 'LLMAdd' | 'UserAdd';

/** A named value of a chat; also its saved shape. */
export interface Variable {
  readonly name: string;
  readonly type: VariableType;
  readonly value: string;
  readonly desc?: string;
  readonly created: number;
  readonly notebooks?: readonly string[];
  readonly sources?: readonly NoteSource[];
  /** The message in which the model wrote it: it depends on everything the model had seen by then. */
  readonly node?: string;
  readonly pinned?: boolean;
  /** It is private, from a file or a program: once a chat has it, everything that leaves the machine is shown. */
  readonly isPrivate?: boolean;
}
