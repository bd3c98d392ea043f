import { getContext, setContext } from 'svelte';

const KEY = Symbol('search in the settings');

export const provideSettingsSearch = (query: () => string): void => void setContext(KEY, query);

/** '' if a section is on a page without search. */
export function useSettingsSearch(): () => string {
  const query: unknown = getContext(KEY);
  return typeof query === 'function' ? () => String(query()) : () => '';
}

export const hasWords = (text: string, query: string): boolean => {
  const all = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
