import type { NotebookInfo } from '../../tools/contract/ports.ts';

/** Whether the model may see anything of a notebook: it is open in SiYuan, and not closed to the model. */
export const isVisible = ({ open, right }: Pick<NotebookInfo, 'open' | 'right'>): boolean => open && right !== 'none';
