import { getContext, setContext } from 'svelte';

const KEY = Symbol('search in the settings');

export const provideSettingsSearch = (query: () => string): void => void setContext(KEY, query);

/** Undefined if a section is on a page without search. */
export const useSettingsSearch = (): (() => string) | undefined => getContext<(() => string) | undefined>(KEY);

export const hasWords = (text: string, query: string): boolean => {
  const all = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
