import type { ToolArguments } from './types.ts';

export type WorkKind = 'read' | 'search' | 'list' | 'write' | 'web-search' | 'web-page' | 'memory' | 'agent' | 'skill' | 'other';

/** Known of a tool without loading it: how people see its calls, and examples. Its name for people is `tool.<name>` in i18n. */
export interface ToolInfo {
  readonly name: string;
  readonly kind: WorkKind;
  /** For operations (`op`, or `format`) of another kind. */
  readonly kinds?: Readonly<Record<string, WorkKind>>;
  /** An icon of the panel or of SiYuan. */
  readonly icon: string;
  /** Arguments to show in short; the first present one is used. */
  readonly subject?: readonly string[];
  /** Valid calls, one or more for each operation; `/Apollo` is the id of that sample document, `/Apollo#1` its second block. */
  readonly examples: readonly ToolArguments[];
}
