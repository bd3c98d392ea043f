// The features that need SiYuan's desktop app, one line each: a file of its own, whose `node:` modules are the app's (esbuild.config.mjs).
import { openComputerFeature as computer } from '../../features/computer/desktop/computer-feature.ts';
import { openWebFeature as web } from '../../features/web/desktop/web-feature.ts';
import type { WriteHistory } from '../../tools/contract/ports.ts';
import type { Tool, ToolGroup } from '../../tools/contract/types.ts';
import type { DesktopEnvironment, OpenDesktopFeature } from './desktop-feature.ts';

const FEATURES: readonly OpenDesktopFeature[] = [
  computer, //
  web,
];

/** What the desktop app adds to the panel. */
export interface Desktop {
  readonly groups: () => readonly ToolGroup[];
  readonly toolsFor: (group: string) => readonly Tool[];
  /** Undo of notes, combined with that of the features. */
  readonly history: (notes: WriteHistory) => WriteHistory;
  /** What a feature's settings show of it. */
  readonly port: (feature: string) => unknown;
}

export function openDesktop(environment: DesktopEnvironment): Desktop {
  const features = FEATURES.map((open) => open(environment));
  return {
    groups: () => features.flatMap(({ groups }) => groups?.() ?? []),
    toolsFor: (group) => features.flatMap(({ tools }) => (tools?.group === group ? tools.list : [])),
    history: (notes) => features.reduce((joined, { history }) => history?.(joined) ?? joined, notes),
    port: (name) => features.find((feature) => feature.name === name)?.port,
  };
}
