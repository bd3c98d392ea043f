import type { Kernel } from '../kernel.ts';

/** An open notebook has a page of its own id that no tree lists (recorded/notebook-removal). Here it can be looked at, not written to. */
export const hasPage = (kernel: Kernel, id: string): boolean => kernel.notebooks.isOpen(id);

/** The one empty paragraph on it, as `getChildBlocks` lists it. */
export function pageBlocks(id: string): { readonly id: string; readonly type: 'p' }[] {
  const [time = '', letters = ''] = id.split('-');
  return [{ id: `${time}-${[...letters].reverse().join('')}`, type: 'p' }];
}

/** As `getBlockInfo` tells of it. */
export function pageInfo(kernel: Kernel, id: string): Readonly<Record<string, unknown>> {
  const { name } = kernel.notebooks.conf(id);
  return { box: id, path: `/${id}.sy`, rootID: id, rootTitle: name, rootTitleEmpty: false, rootChildID: id, rootIcon: '' };
}
