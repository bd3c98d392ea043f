import { ToolError } from '../../tools/contract/errors.ts';

/** One answer for missing and hidden blocks: an id must not reveal that something hidden has it. */
export const noSuchBlock = (id: string): ToolError =>
  new ToolError(
    'not_found',
    `${id || 'this block'} may not be read, or is gone`,
    'look for it again; it may be gone, in a closed notebook, or kept private',
  );

export const noSuchNotebook = (id: string): ToolError =>
  new ToolError('not_found', `there is no notebook ${id}`, 'call list_notebooks for the ids');
