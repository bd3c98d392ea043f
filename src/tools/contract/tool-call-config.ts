/** How tools are described to a model, and how it calls them: natively or in text; `auto`: natively if it can. */
export const TOOL_PROTOCOLS = ['auto', 'native', 'vcp', 'json'] as const;
export type ToolProtocol = (typeof TOOL_PROTOCOLS)[number];

/** How the model's calls run. The executor reads it for every call, so that a change takes effect at once. */
export interface ToolCallBehavior {
  readonly enabled: boolean;
  /** manual: all calls of a round, even reads, wait until a person has decided to run or skip each of them. */
  readonly mode: 'auto' | 'manual';
  /** Every call, even a read, asks before it runs, one by one. */
  readonly requireConfirmation: boolean;
  /** false: one call at a time. */
  readonly parallelExecution: boolean;
  /** Milliseconds for one call, not counting approvals; does not apply to tools that limit themselves or wait for a person. */
  readonly timeout: number;
}

export interface ToolCallConfig extends ToolCallBehavior {
  readonly toolToggles: Readonly<Record<string, boolean>>;
  /** By tool, in an enabled group; a tool that is not listed is on. */
  readonly methodToggles: Readonly<Record<string, boolean>>;
  /** For groups that `toolToggles` does not list. */
  readonly defaultToolEnabled: boolean;
  readonly maxIterations: number;
  readonly protocol: ToolProtocol;
}

export const DEFAULT_TOOL_CALL_BEHAVIOR: ToolCallBehavior = {
  enabled: true,
  mode: 'auto',
  requireConfirmation: false,
  parallelExecution: true,
  timeout: 30_000,
};
