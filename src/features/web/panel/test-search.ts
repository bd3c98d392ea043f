import type { SettingsStore } from '../../../host/settings/settings.ts';
import { testWebSearch } from '../web-search.ts';
import { createPanelSearch } from './panel-search.ts';

/** Rejects with ToolError like web_search. */
export const testSearch = (settings: SettingsStore, signal: AbortSignal): Promise<void> =>
  testWebSearch(createPanelSearch(settings), signal);
