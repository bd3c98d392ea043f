import { ToolError } from '../../tools/contract/errors.ts';

/**
 * One answer for what is not there and for what the user hides from the model: asking for an id must not tell whether something is
 * hidden behind it.
 */
export const noSuchBlock = (id: string): ToolError =>
  new ToolError(
    'not_found',
    `there is no block ${id} that may be read`,
    'look for it again; it may be gone, in a closed notebook, or kept private',
  );

export const noSuchNotebook = (id: string): ToolError =>
  new ToolError('not_found', `there is no notebook ${id}`, 'call list_notebooks for the ids');
