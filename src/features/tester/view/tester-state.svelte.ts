import { createContext } from 'svelte';
import type { ToolChainEvent } from '../../../tools/contract/events.ts';
import type { ToolArguments } from '../../../tools/contract/types.ts';
import type { TesterRun, TesterView, ToolTester } from '../tool-tester.ts';
import { type CallDraft, draftOf } from './form/schema-form.ts';
import { type LoggedEvent, withEvent } from './tester-panes.ts';

export interface TesterEvents {
  subscribe(listener: (event: ToolChainEvent) => void): () => void;
}

export const PANES = ['discovery', 'executor', 'parser', 'events', 'prompt'] as const;
export type Pane = (typeof PANES)[number];

/** What the panes share: which one is open, which tool they are about, and the call that is being put together. */
export class TesterState {
  readonly tester: ToolTester;
  pane: Pane = $state('discovery');
  width: number = $state(900);
  /** Both sides of a pane have no room side by side. */
  readonly narrow = $derived(this.width < 560);
  /** The tool whose details are shown; '' for none. */
  shown: string = $state('');
  view: TesterView;
  tool: string = $state('');
  draft: CallDraft = $state.raw(draftOf({}));
  mode: 'form' | 'json' = $state('form');
  /** undefined: the newest. */
  chosenRun: string | undefined = $state();
  /** Id of the protocol that a text is read by; '' for the first. */
  protocol: string = $state('');
  source: string = $state('');
  /** Events of the open chat, whichever pane is shown; while it is paused more are recorded, and not shown. */
  lines: readonly LoggedEvent[] = $state.raw([]);
  paused: boolean = $state(false);
  waiting: number = $state(0);
  #all: readonly LoggedEvent[] = [];
  #frame = 0;
  readonly #drafts = new Map<string, CallDraft>();
  readonly #stops: readonly (() => void)[];

  constructor(tester: ToolTester, events: TesterEvents) {
    this.tester = tester;
    this.view = $state.raw(tester.view());
    const follow = (view: TesterView): void => {
      this.view = view;
    };
    this.#stops = [tester.subscribe(follow), events.subscribe((event) => this.#take(event))];
  }

  get run(): TesterRun | undefined {
    const { runs } = this.view;
    return runs.find(({ callId }) => callId === this.chosenRun) ?? runs[0];
  }

  /** Another pane; the tool that is looked at is the one that is tried out. */
  open(pane: Pane): void {
    if (pane === 'executor' && this.shown !== '' && this.shown !== this.tool) this.setTool(this.shown);
    this.pane = pane;
  }

  show(tool: string): void {
    this.shown = tool;
    this.pane = 'discovery';
  }

  /** Another tool in the sandbox, with what was filled in for it before; a name that no tool has keeps the draft. */
  setTool(tool: string): void {
    this.#drafts.set(this.tool, this.draft);
    this.tool = tool;
    if (!this.tester.describe(tool)) return;
    this.shown = tool;
    this.draft = this.#drafts.get(tool) ?? draftOf({});
  }

  load(tool: string, args?: ToolArguments): void {
    this.setTool(tool);
    if (args) this.draft = draftOf(args);
    this.pane = 'executor';
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.waiting = 0;
    if (!paused) this.lines = this.#all;
  }

  clear(): void {
    this.#all = [];
    this.lines = [];
    this.waiting = 0;
  }

  destroy(): void {
    for (const stop of this.#stops) stop();
    cancelAnimationFrame(this.#frame);
  }

  /** Streams bring many per frame: they are rendered once. */
  #take(event: ToolChainEvent): void {
    this.#all = withEvent(this.#all, event);
    if (this.paused) this.waiting += 1;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.paused) this.lines = this.#all;
    });
  }
}

export const [useTester, provideTester] = createContext<TesterState>();
