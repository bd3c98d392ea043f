import { join } from 'node:path';
import type { OpenDesktopFeature } from '../../../app/groups/desktop-feature.ts';
import { COMPUTER, type ComputerPort } from '../computer-port.ts';
import { openComputerTools } from './computer-tools.ts';

/** Beside the notes of a workspace. */
export const openComputerFeature: OpenDesktopFeature = ({ workspace, folders, now, onProblem }) => {
  const reserved = [{ folder: workspace, open: 'marginalia' }];
  const { groups, withFiles, filesFolder } = openComputerTools({ own: join(workspace, 'marginalia'), folders, reserved, now, onProblem });
  return { name: COMPUTER.name, groups, history: withFiles, port: { filesFolder } satisfies ComputerPort };
};
