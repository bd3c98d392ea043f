import type { IconName } from './icons.ts';

/** An entry of a menu "more". */
export interface MenuItem {
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
  readonly disabled?: boolean;
}
