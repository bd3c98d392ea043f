import type { Component } from 'svelte';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { IconName } from '../controls/icons.ts';
import type { MessageKey } from '../ports/i18n.ts';
import type { SettingsState } from './chat-state.svelte.ts';

/** A page of a feature, as the frame knows it before it is loaded. */
export interface PageEntry {
  readonly name: string;
  readonly title: MessageKey;
  /** Its entry in the menu of the chat: among what is done with notes, or with the program. */
  readonly menu?: {
    readonly icon: IconName;
    readonly part: 'notes' | 'program';
    readonly isShown?: (options: SettingsState) => boolean;
  };
}

/** What waits for the person, in words, and the page that shows it. */
export interface Waiting {
  readonly label: string;
  readonly page: string;
}

/** What a feature adds to the frame. */
export interface PanelFeature {
  readonly name: string;
  /** What its views work with: `useFeature` reads it. */
  readonly port?: unknown;
  readonly pages?: readonly PageEntry[];
  /** Calls back with what waits, now and after each change; returns a function that stops it. */
  readonly watch?: (listener: (waiting: Waiting | undefined) => void) => () => void;
}

/** A section of the settings stands behind the rights, among the costs, or with what reaches beyond notes. */
export type SectionPlace = 'rights' | 'costs' | 'reach';

/** What is drawn of a feature, by the names of its pages. */
export interface FeatureViews {
  readonly pages?: Readonly<Record<string, Component>>;
  readonly sections?: readonly { readonly place: SectionPlace; readonly View: Component }[];
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

  constructor(list: readonly PanelFeature[], loadViews: () => Promise<readonly FeatureViews[]>) {
    this.list = list;
    this.load = lazyPart(async () => {
      this.#views = await loadViews();
    });
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

  entries(): readonly PageEntry[] {
    return this.list.flatMap(({ pages = [] }) => pages);
  }

  /** Throws where the feature is not there: only its own views read it. */
  port<Port>({ name }: FeatureKey<Port>): Port {
    const feature = this.list.find((each) => each.name === name);
    if (!feature) throw new Error(`no feature ${name}`);
    return feature.port as Port;
  }
}

export const NO_FEATURES = new Features([], async () => []);
