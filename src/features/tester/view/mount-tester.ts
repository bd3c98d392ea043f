// A file of its own in the built plugin, loaded when the tool tester is opened.
import { inBackground } from '../../../tools/util/notify.ts';
import '../../../ui/panel.css';
import '../../../ui/answer/answer.css';
import './tester.css';
import { flushSync, mount, unmount } from 'svelte';
import type { PanelContext } from '../../../ui/state/context.ts';
import { createOutsideContext } from '../../../ui/state/outside-context.ts';
import { ToolTester, type ToolTesterDeps } from '../tool-tester.ts';
import Tester from './Tester.svelte';
import { type TesterEvents, TesterState } from './tester-state.svelte.ts';

/** `controller`: the panel's chat, with its rights and its requests. */
export interface TesterProps extends Pick<PanelContext, 'controller' | 'host' | 't' | 'settings' | 'activity'> {
  readonly events: TesterEvents;
  readonly deps: ToolTesterDeps;
}

export type MountedTester = ReturnType<typeof openTester>;

/** Draws a tool tester with calls, variables and consent of its own into an element that has a height. */
export function openTester(target: HTMLElement, props: TesterProps) {
  const { controller, host, t, settings, activity, events, deps } = props;
  const tester = new ToolTester(deps);
  const shared = new TesterState(tester, events);
  const outside = createOutsideContext({ controller, host, t, settings, activity, deciding: tester }, 'marginalia-tester-preview');
  const component = mount(Tester, { target, props: { context: outside.context, shared } });
  flushSync();
  return {
    show: (tool: string): void => shared.show(tool),
    destroy(): void {
      inBackground(unmount(component));
      for (const state of [shared, outside]) state.destroy();
      tester.dispose();
    },
  };
}
