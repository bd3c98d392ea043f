import type { Tool, ToolExecuteResult } from './types.ts';
import type { Variable } from './variable.ts';

/**
 * Whether a result may contain the person's private text: from notes, files or programs. Every result counts, except those of tools
 * known to compute or to fetch public content: after a private result, everything that leaves the machine is shown.
 */
export function isPrivateResult(result: Partial<ToolExecuteResult>): boolean {
  const { isPrivate, quoted = '', notebooks = [], sources = [], blockIds = [], written } = result;
  return isPrivate === true || quoted !== '' || notebooks.length > 0 || sources.length > 0 || blockIds.length > 0 || written !== undefined;
}

/** Whether a tool's results, failures included, are private even if a result does not say so. */
export function readsPrivate({ effect, publicResult, program }: Pick<Tool, 'effect' | 'publicResult' | 'program'>): boolean {
  return publicResult !== true && (effect !== 'outgoing' || program !== undefined);
}

export function isPrivateVariable({ isPrivate, notebooks = [], sources = [] }: Partial<Variable>): boolean {
  return isPrivate === true || notebooks.length > 0 || sources.length > 0;
}
