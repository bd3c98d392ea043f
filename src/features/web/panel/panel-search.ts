import { createForward } from '../../../host/kernel/forward-request.ts';
import { createKernelClient } from '../../../host/kernel/kernel-client.ts';
import type { SettingsStore } from '../../../host/settings/settings.ts';
import { createSettingsSearch } from '../settings-search.ts';
import type { WebSearch } from '../web-search.ts';

/** Searches sent by SiYuan: no service allows requests from a page, and the address is the user's own setting. */
export function createPanelSearch(settings: Pick<SettingsStore, 'get' | 'searchKey'>): WebSearch {
  const forward = createForward(createKernelClient({ baseUrl: '', fetch: fetch.bind(window) }));
  const send: WebSearch['send'] = async ({ body, ...request }, signal) => {
    const answer = await forward({ ...request, body: new TextEncoder().encode(body) }, signal);
    return { status: answer.status, body: new TextDecoder().decode(answer.body) };
  };
  return createSettingsSearch({ settings, send });
}
