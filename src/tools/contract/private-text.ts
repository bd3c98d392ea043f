import type { Tool, ToolExecuteResult } from './types.ts';
import type { Variable } from './variable.ts';

/**
 * Whether a text that the model gets of a call may be the person's own: of their notes, files or programs. All counts but what a tool
 * is known to compute or to fetch from outside: from then on what leaves the machine is always shown.
 */
export function isPrivateResult(result: Partial<ToolExecuteResult>): boolean {
  const { isPrivate, quoted = '', notebooks = [], sources = [], blockIds = [], written } = result;
  return isPrivate === true || quoted !== '' || notebooks.length > 0 || sources.length > 0 || blockIds.length > 0 || written !== undefined;
}

/** Whether what a tool answers, its failures too, is private even where the answer does not say so. */
export function readsPrivate({ effect, publicResult, program }: Pick<Tool, 'effect' | 'publicResult' | 'program'>): boolean {
  return publicResult !== true && (effect !== 'outgoing' || program !== undefined);
}

export function isPrivateVariable({ isPrivate, notebooks = [], sources = [] }: Partial<Variable>): boolean {
  return isPrivate === true || notebooks.length > 0 || sources.length > 0;
}
