import type { NotebookInfo } from '../../tools/contract/ports.ts';

/** True if the model may see a notebook: it is open in SiYuan and its right is not `none`. */
export const isVisible = ({ open, right }: Pick<NotebookInfo, 'open' | 'right'>): boolean => open && right !== 'none';
