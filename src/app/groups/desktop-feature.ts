import type { WriteHistory } from '../../tools/contract/ports.ts';
import type { Tool, ToolGroup } from '../../tools/contract/types.ts';

/** SiYuan's desktop app. */
export interface DesktopEnvironment {
  /** The folder of the workspace. */
  readonly workspace: string;
  /** The address of SiYuan. */
  readonly kernel: string;
  /** Folders that the person named. */
  readonly folders: () => readonly string[];
  readonly now: () => number;
  /** Called with the reason when something cannot be used. */
  readonly onProblem: (problem: string) => void;
}

/** What a feature adds there. */
interface DesktopFeature {
  readonly name: string;
  readonly port?: unknown;
  readonly groups?: () => readonly ToolGroup[];
  /** Tools for a group of another place. */
  readonly tools?: { readonly group: string; readonly list: readonly Tool[] };
  readonly history?: (notes: WriteHistory) => WriteHistory;
}

export type OpenDesktopFeature = (environment: DesktopEnvironment) => DesktopFeature;
