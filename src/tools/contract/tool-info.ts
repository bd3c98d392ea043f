import type { ToolArguments } from './types.ts';

/** What a call does, as the line of work counts it. */
export type WorkKind = 'read' | 'search' | 'list' | 'write' | 'web-search' | 'web-page' | 'memory' | 'agent' | 'other';

/** What is known of a tool without it: how people see its calls, and examples. Its name in words is `tool.<name>` of both dictionaries. */
export interface ToolInfo {
  readonly name: string;
  readonly kind: WorkKind;
  /** Of those of its operations (`op`, or `format`) that do something else. */
  readonly kinds?: Readonly<Record<string, WorkKind>>;
  /** Of the panel or of SiYuan. */
  readonly icon: string;
  /** Arguments to show in short, the first that is there. */
  readonly subject?: readonly string[];
  /**
   * Right calls, at least one for each kind of operation: docs/tools.md shows their results, and tests make wrong calls of them. Over the
   * notes of tool-samples.ts, where `/Apollo` stands for the id of that document, and `/Apollo#1` for that of its second block.
   */
  readonly examples: readonly ToolArguments[];
}
