// Groups of tools that the panel opens without, one line each: part of the file that is loaded when the page is idle.
import { webGroup } from '../../features/web/panel/web-group.ts';
import type { OpenGroup } from '../workspace/group-environment.ts';
import { GROUPS } from '../workspace/groups.ts';

export const LATE_GROUPS: readonly OpenGroup[] = [
  webGroup, //
  ...GROUPS,
];
