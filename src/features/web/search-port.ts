/** The search service of web_search, as the settings have it. */
export interface SearchSettings {
  readonly provider: '' | 'brave' | 'tavily' | 'searxng';
  /** Of a SearXNG. */
  readonly address: string;
  /** Whether a key is kept here for the service that is chosen. */
  readonly hasKey: boolean;
}

export interface SearchPort {
  get(): SearchSettings;
  /** Rejects with ToolError where it cannot be saved. An empty key removes it. */
  save(patch: Partial<Pick<SearchSettings, 'provider' | 'address'>> & { readonly key?: string }): Promise<void>;
  /** Searches for one word. Rejects with ToolError as web_search does. */
  test(signal: AbortSignal): Promise<void>;
}

export const WEB: { readonly name: string; readonly type?: SearchPort } = { name: 'web' };
