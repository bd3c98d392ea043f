import { getContext, setContext } from 'svelte';

const KEY = Symbol('search in the settings');

/** The words that are looked for in the page of the settings. */
export const provideSettingsSearch = (query: () => string): void => void setContext(KEY, query);

/** '' where a section stands on a page without search. */
export function useSettingsSearch(): () => string {
  const query: unknown = getContext(KEY);
  return typeof query === 'function' ? () => String(query()) : () => '';
}

/** Whether all words stand somewhere in a text. */
export const hasWords = (text: string, query: string): boolean => {
  const all = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
