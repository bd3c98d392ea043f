import type { IconName } from './icons.ts';

export interface PickItem {
  readonly key: string;
  /** Heading of its group, in words. */
  readonly group: string;
  readonly icon: IconName;
  readonly title: string;
  readonly place: string;
  /** The replacement of the typed text; absent: nothing. */
  readonly words?: string;
  readonly picked: () => void;
}
