import { getContext, setContext } from 'svelte';
import { type FeatureKey, NO_FEATURES, type PanelContext } from './features.ts';

export type { PanelContext };

const KEY = Symbol('marginalia');

export function providePanel(context: PanelContext): void {
  setContext(KEY, context);
}

export function usePanel(): PanelContext {
  return getContext<PanelContext>(KEY);
}

/** The port of the feature whose view this is. */
export const useFeature = <Port>(key: FeatureKey<Port>): Port => (usePanel().features ?? NO_FEATURES).port(key);
