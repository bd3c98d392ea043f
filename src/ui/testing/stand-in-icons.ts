import { hostIcons } from '../controls/icons.ts';

/** Simple drawings in place of the host's icon set. */
const PATHS: Readonly<Record<(typeof hostIcons)[number], string>> = {
  iconAdd: 'M12 5v14M5 12h14',
  iconClose: 'M6 6l12 12M18 6L6 18',
  iconCopy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  iconDown: 'M6 9l6 6 6-6',
  iconEdit: 'M4 20l1-4L16 5l3 3L8 19z',
  iconFile: 'M6 3h8l4 4v14H6zM14 3v4h4',
  iconLeft: 'M15 6l-6 6 6 6',
  iconMore: 'M5 12h.01M12 12h.01M19 12h.01',
  iconRefresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  iconRight: 'M9 6l6 6-6 6',
  iconSearch: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21',
  iconSelect: 'M5 13l4 4L19 7',
  iconSettings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100',
  iconTrashcan: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  iconRedo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  iconUndo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  iconUp: 'M5 15l7-7 7 7',
};

const symbol = (name: string, path: string): string =>
  `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></symbol>`;

export const standInIcons = [
  ...hostIcons.map((name) => symbol(name, PATHS[name])),
  symbol('iconMarginalia', 'M5 4h10v16H5zM8 8h4M8 12h3M18 6l2 2-5 6-2 1 .5-2z'),
].join('');
