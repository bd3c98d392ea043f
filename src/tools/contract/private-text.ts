import type { Tool, ToolExecuteResult } from './types.ts';
import type { Variable } from './variable.ts';

/** Tells if a result may contain private text: all but those of tools that compute or fetch public content; then sending is shown. */
export function isPrivateResult(result: Partial<ToolExecuteResult>): boolean {
  const { isPrivate, quoted = '', notebooks = [], sources = [], blockIds = [], written } = result;
  return isPrivate === true || quoted !== '' || notebooks.length > 0 || sources.length > 0 || blockIds.length > 0 || written !== undefined;
}

/** Tells if a tool's results, failures included, are private even if a result does not state it. */
export function readsPrivate({ effect, publicResult, program }: Pick<Tool, 'effect' | 'publicResult' | 'program'>): boolean {
  return publicResult !== true && (effect !== 'outgoing' || program !== undefined);
}

export function isPrivateVariable({ isPrivate, notebooks = [], sources = [] }: Partial<Variable>): boolean {
  return isPrivate === true || notebooks.length > 0 || sources.length > 0;
}
