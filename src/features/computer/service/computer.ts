import { resolve } from 'node:path';
import { systemClock } from '../../../app/workspace/system-clock.ts';
import type { StartServiceFeature } from '../../../service/service-feature.ts';
import { openComputerTools } from '../desktop/computer-tools.ts';

/** Groups of tools that need the machine itself. */
export const start: StartServiceFeature = ({ options: { data, folders = [], scripts, onProblem }, siyuan }) => {
  const own = resolve(data);
  const reserved = [{ folder: own, open: 'files' }, ...(siyuan === undefined ? [] : [{ folder: siyuan, open: 'marginalia' }])];
  const { groups, withFiles } = openComputerTools({
    ...{ own, folders: () => folders, reserved, now: systemClock.now, scripts, onProblem },
  });
  return { groups, history: withFiles };
};
