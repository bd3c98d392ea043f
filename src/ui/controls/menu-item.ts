import type { IconName } from './icons.ts';

export interface MenuItem {
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
  readonly disabled?: boolean;
  /** The heading of its part of the menu. */
  readonly group?: string;
}
