/** From the least to the most; `none` hides the whole notebook. `create` adds notes and sees nothing, `read` adds nothing: neither includes the other. */
export const NOTEBOOK_RIGHTS = ['none', 'create', 'read', 'write', 'delete'] as const;

export type NotebookRight = (typeof NOTEBOOK_RIGHTS)[number];

/** Tells if a right includes another. */
export function allows(has: NotebookRight, needs: NotebookRight): boolean {
  if (has === 'read' && needs === 'create') return false;
  return NOTEBOOK_RIGHTS.indexOf(has) >= NOTEBOOK_RIGHTS.indexOf(needs);
}

/** Tells if the notebook itself may be named: it is seen, or takes new notes. */
export const isListed = (right: NotebookRight): boolean => right !== 'none';

/** Tells if anything in the notebook may be found, counted or named. */
export const isSeen = (right: NotebookRight): boolean => allows(right, 'read');

/** Tells if a notebook is there for a call that needs a right; otherwise it is answered like an unknown id. */
export const existsFor = (right: NotebookRight, need: NotebookRight): boolean =>
  isSeen(right) || (need === 'create' && allows(right, need));

/** The most that both rights include. */
export const both = (one: NotebookRight, other: NotebookRight): NotebookRight =>
  NOTEBOOK_RIGHTS.findLast((right) => allows(one, right) && allows(other, right)) ?? 'none';
