import type { ToolArguments } from './types.ts';

/** What a call does, for the summary of work. */
export type WorkKind = 'read' | 'search' | 'list' | 'write' | 'web-search' | 'web-page' | 'memory' | 'agent' | 'skill' | 'other';

/** What is known of a tool without loading it: how people see its calls, and examples. Its name for people is `tool.<name>` in i18n. */
export interface ToolInfo {
  readonly name: string;
  readonly kind: WorkKind;
  /** For operations (`op`, or `format`) of another kind. */
  readonly kinds?: Readonly<Record<string, WorkKind>>;
  /** An icon of the panel or of SiYuan. */
  readonly icon: string;
  /** Arguments to show in short; the first present one is used. */
  readonly subject?: readonly string[];
  /**
   * Valid calls, at least one for each kind of operation: docs/tools.md shows their results, and tests derive invalid calls. They use the
   * notes of tool-samples.ts, where `/Apollo` represents the id of that document, and `/Apollo#1` that of its second block.
   */
  readonly examples: readonly ToolArguments[];
}
