import type { Component } from 'svelte';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { MessageView, ToolCallView } from '../../chat/view/view.ts';
import type { ErrorCode } from '../../tools/contract/errors.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { IconName } from '../controls/icons.ts';
import type { MenuItem } from '../controls/menu-item.ts';
import type { PickItem } from '../controls/pick-item.ts';
import type { ActivityPort } from '../ports/activity-port.ts';
import type { HostUi } from '../ports/host-ui.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import type { SettingsPort } from '../ports/settings-port.ts';
import type { SpeechPort } from '../ports/speech-port.ts';
import type { ChatState, SettingsState } from './chat-state.svelte.ts';
import type { FromEditor } from './from-editor.svelte.ts';
import type { PanelState } from './panel-state.svelte.ts';

/** What every component of the panel can use, without passing it through each level. */
export interface PanelContext {
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly t: Translate;
  readonly settings: SettingsPort;
  /** Absent where nothing can speak or listen. */
  readonly speech: SpeechPort | undefined;
  /** Absent where nothing is recorded. */
  readonly activity: ActivityPort | undefined;
  readonly chat: ChatState;
  readonly options: SettingsState;
  readonly panel: PanelState;
  /** The note and selection in the editor; absent if there is no editor. */
  readonly fromEditor?: FromEditor;
  /** Absent outside of the panel. */
  readonly features?: Features;
  /** Where approvals and questions outside the chat are answered. */
  readonly deciding?: Pick<ChatController, 'decide' | 'revise' | 'answer'> & {
    /** What is proposed cannot be edited there. */
    readonly asWritten?: boolean;
  };
  /** What the call of a sub-agent is drawn with; loaded for the first. Rejects with `not_loaded`. */
  readonly loadAgentCard?: () => Promise<Component<{ call: ToolCallView; nodeId: string }>>;
}

/** A page of a feature, as the frame knows it before it is loaded. */
export interface PageEntry {
  readonly name: string;
  readonly title: MessageKey;
  /** Its entry in the menu of the chat: among what is of all chats, or of the program. */
  readonly menu?: {
    readonly icon: IconName;
    readonly part: 'chats' | 'program';
    readonly isShown?: (options: SettingsState) => boolean;
  };
  /** Other words by which the search of the settings finds it. */
  readonly also?: MessageKey;
  /** A tool, below whose calls is a link to the page. */
  readonly ofTool?: string;
}

/** A page of the feature, or its part of the settings, which helps with failures. */
export interface Help {
  readonly codes?: readonly ErrorCode[];
  /** A button below an answer that failed; absent: none. */
  readonly label?: MessageKey;
  readonly page?: string;
  readonly part?: string;
  /** Tools that do nothing before it is filled in, and why. */
  readonly setUp?: Readonly<Record<string, MessageKey>>;
}

/** What waits for the person, in words, and the page that shows it; `show`: what its button is called, if not “Show”. */
export interface Waiting {
  readonly label: string;
  readonly page: string;
  readonly show?: string;
}

/** In the menu of the chat, which keeps it; on the page of its settings, among what asks the model; in the menu of an answer, as a button below it, or in an empty chat. */
export type ActionPlace = 'keep' | 'ask' | 'answer' | 'foot' | 'empty';

export interface FeatureAction extends Omit<MenuItem, 'run'> {
  readonly place: ActionPlace;
  readonly run: () => Promise<unknown>;
}

/** What a feature adds to the frame. */
export interface PanelFeature {
  readonly name: string;
  /** What its views work with: `useFeature` reads it. */
  readonly port?: unknown;
  readonly pages?: readonly PageEntry[];
  readonly helps?: readonly Help[];
  /** What a tab of the host shows, by its type. Rejects with ToolError. */
  readonly tabs?: Readonly<Record<string, (element: HTMLElement) => Promise<{ unmount(): void }>>>;
  /** What can be done now with the open chat, or with an answer that has a text. */
  readonly actions?: (context: PanelContext, answer?: MessageView) => readonly FeatureAction[];
  /** What commands of the host do, by their names. */
  readonly commands?: Readonly<Record<string, () => Promise<void>>>;
  /** Those that an order, a program or an agent can be given. Rejects with ToolError. */
  readonly projects?: () => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Shows a tool, or where tools can be tried. */
  readonly tryTool?: (tool?: string) => void;
  /** Calls back with what waits, now and after each change; returns a function that stops it. */
  readonly watch?: (listener: (waiting: Waiting | undefined) => void) => () => void;
}

/** The place of a section in the settings: behind the rights, among the costs, with what reaches beyond notes, or inside the search by meaning; `chat`: of the open chat, below its composer. */
export type SectionPlace = 'chat' | 'rights' | 'costs' | 'reach' | 'meaning';

/** What is typed behind `@` or `/`. */
export interface PickWanted {
  readonly kind: 'context' | 'prompt';
  readonly words: string;
}

/** Adds entries to a list, each time that there are more; the entries are those of the panel until then. */
export type AddPicks = (items: readonly PickItem[], wanted: PickWanted, context: PanelContext) => AsyncIterable<readonly PickItem[]>;

/** What is drawn of a feature: its pages by their names. Nothing of one that this panel has not. */
export interface FeatureViews {
  readonly name: string;
  readonly pages?: Readonly<Record<string, Component>>;
  readonly sections?: readonly { readonly place: SectionPlace; readonly View: Component }[];
  readonly addPicks?: AddPicks;
  /** Drawn below an answer. */
  readonly AnswerNote?: Component<{ message: MessageView }>;
  /** The same, also while the answer is written. */
  readonly LiveNote?: Component<{ message: MessageView }>;
}

/** Names the port of a feature, with its type. */
export interface FeatureKey<Port> {
  readonly name: string;
  readonly type?: Port;
}

/** The features of a panel. Their views are loaded together, once. */
export class Features {
  readonly list: readonly PanelFeature[];
  /** Rejects with `not_loaded`. */
  readonly load: () => Promise<void>;
  #views: readonly FeatureViews[] | undefined;
  /** Resolves when somebody has loaded them. */
  readonly loaded: Promise<void>;

  constructor(list: readonly PanelFeature[], loadViews: () => Promise<readonly FeatureViews[]>) {
    this.list = list;
    let done = (): void => undefined;
    this.loaded = new Promise((resolve) => {
      done = resolve;
    });
    this.load = lazyPart(async () => {
      this.#views = (await loadViews()).filter(({ name }) => list.some((each) => each.name === name));
      done();
    });
  }

  get #helps(): readonly Help[] {
    return this.list.flatMap(({ helps = [] }) => helps);
  }

  get isLoaded(): boolean {
    return this.#views !== undefined;
  }

  /** Undefined for a page of no feature, and before the views are loaded. */
  view(page: string): Component | undefined {
    return this.#views?.map(({ pages }) => pages?.[page]).find((view) => view !== undefined);
  }

  sections(place: SectionPlace): readonly Component[] {
    return (this.#views ?? []).flatMap(({ sections = [] }) => sections.filter((each) => each.place === place).map(({ View }) => View));
  }

  answerNotes(): readonly Component<{ message: MessageView }>[] {
    return (this.#views ?? []).flatMap(({ AnswerNote = [] }) => AnswerNote);
  }

  liveNotes(): readonly Component<{ message: MessageView }>[] {
    return (this.#views ?? []).flatMap(({ LiveNote = [] }) => LiveNote);
  }

  /** The entries, then with those of each feature. */
  async *withPicks(items: readonly PickItem[], wanted: PickWanted, context: PanelContext): AsyncGenerator<readonly PickItem[], void> {
    yield items;
    let all = items;
    for (const { addPicks } of this.#views ?? [])
      for await (const more of addPicks?.(all, wanted, context) ?? []) {
        all = more;
        yield all;
      }
  }

  actions(place: ActionPlace, context: PanelContext, answer?: MessageView): readonly FeatureAction[] {
    return this.list.flatMap(({ actions }) => actions?.(context, answer) ?? []).filter((each) => each.place === place);
  }

  /** The same as entries of a menu. */
  menu(...of: Parameters<Features['actions']>): readonly MenuItem[] {
    const [, { panel }] = of;
    return this.actions(...of).map(({ run, ...entry }) => ({ ...entry, run: () => panel.run(run()) }));
  }

  tab(type: string): NonNullable<PanelFeature['tabs']>[string] | undefined {
    return this.list.find(({ tabs }) => tabs?.[type])?.tabs?.[type];
  }

  command(name: string): (() => Promise<void>) | undefined {
    return this.list.find(({ commands }) => commands?.[name])?.commands?.[name];
  }

  get projects(): PanelFeature['projects'] {
    return this.list.find(({ projects }) => projects)?.projects;
  }

  get tryTool(): PanelFeature['tryTool'] {
    return this.list.find(({ tryTool }) => tryTool)?.tryTool;
  }

  entries(): readonly PageEntry[] {
    return this.list.flatMap(({ pages = [] }) => pages);
  }

  helps(code: ErrorCode): readonly Help[] {
    return this.#helps.filter(({ codes }) => codes?.includes(code));
  }

  /** The part of the settings without which a tool does nothing, and why. */
  setUp(tool: string): { readonly part: string; readonly why: MessageKey } | undefined {
    return this.#helps.flatMap(({ part, setUp = {} }) => (part && setUp[tool] ? [{ part, why: setUp[tool] }] : []))[0];
  }

  /** Throws where the feature is not there: only its own views read it. */
  port<Port>({ name }: FeatureKey<Port>): Port {
    const feature = this.list.find((each) => each.name === name);
    if (!feature) throw new Error(`no feature ${name}`);
    return feature.port as Port;
  }
}

export const NO_FEATURES = new Features([], async () => []);
