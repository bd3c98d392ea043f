import { getContext, setContext } from 'svelte';
import type { ActivityPort } from '../../../ui/ports/activity-port.ts';
import type { ToolTester } from '../tool-tester.ts';
import type { EventLogState } from './event-log-state.svelte.ts';
import type { TesterState } from './tester-state.svelte.ts';

/** What the panes of the tester reach besides what every component does. */
export interface TesterContext {
  readonly tester: Pick<ToolTester, keyof ToolTester>;
  readonly shared: TesterState;
  readonly activity: ActivityPort;
  /** Of the open chat. */
  readonly log: EventLogState;
}

const KEY = Symbol('marginalia-tester');

export function provideTester(context: TesterContext): void {
  setContext(KEY, context);
}

export function useTester(): TesterContext {
  return getContext<TesterContext>(KEY);
}
