import type { StartFeature } from '../../app/panel-feature.ts';
import { COMPUTER } from './computer-port.ts';

/** Files of this machine, commands, and the person's own scripts. */
export const start: StartFeature = () => ({
  inPanel: ({ desktop }) => desktop && { name: COMPUTER.name, port: desktop.port(COMPUTER.name) },
});
