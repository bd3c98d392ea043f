import type { ToolProtocol } from './tool-protocol.ts';

/** How the model's calls run. The executor asks for it at every call, so that a switch counts at once. */
export interface ToolCallConduct {
  /** Whether the model has tools at all. */
  readonly enabled: boolean;
  /** manual: the calls of a round wait until a person runs or skips each of them, before any of them runs, reads included. */
  readonly mode: 'auto' | 'manual';
  /** Every call is asked about before it runs, one by one, reads included. */
  readonly requireConfirmation: boolean;
  /** false: one call at a time. */
  readonly parallelExecution: boolean;
  /** Milliseconds of one call without the time that approvals take; tools that limit themselves or wait for a person do not have it. */
  readonly timeout: number;
}

/** Everything that is set about tool calls. */
export interface ToolCallConfig extends ToolCallConduct {
  /** By group. */
  readonly toolToggles: Readonly<Record<string, boolean>>;
  /** By tool, within a group that is on; a tool that is not named is on. */
  readonly methodToggles: Readonly<Record<string, boolean>>;
  /** For groups that `toolToggles` does not name. */
  readonly defaultToolEnabled: boolean;
  /** Rounds of calls in one turn. */
  readonly maxIterations: number;
  /** How a model is told about tools and asks for them. */
  readonly protocol: ToolProtocol;
}

export const DEFAULT_CONDUCT: ToolCallConduct = {
  enabled: true,
  mode: 'auto',
  requireConfirmation: false,
  parallelExecution: true,
  timeout: 30_000,
};
