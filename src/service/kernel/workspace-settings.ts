import type { PluginStorage } from '../../host/kernel/storage.ts';
import { openSettings, type SettingsStore } from '../../host/settings/settings.ts';
import type { Settings } from '../../host/settings/settings-format.ts';

/** The plugin's settings for the service: it reads them and never writes them. */
export type WorkspaceSettings = Pick<SettingsStore, 'get' | 'apiKey' | 'searchKey' | 'reload' | 'subscribe' | 'problem'>;

/**
 * Opens `settings.json` without changing it: a key in plain text stays there, since the panel moves it to a place
 * that only the panel can read.
 */
export async function openWorkspaceSettings(storage: PluginStorage, now: () => number): Promise<WorkspaceSettings> {
  const keys = new Map<string, string>();
  const readOnly = {
    read: (path: string) => storage.read(path),
    list: async (folder: string) => (await storage.list(folder)).map(({ name }) => name),
    write: async () => undefined,
  };
  return openSettings(readOnly, { get: (name) => keys.get(name), set: (name, key) => void keys.set(name, key) }, now);
}

/** A model given when the service is started; it has precedence over those of the workspace. */
export interface GivenModel {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
}

/** SiYuan's AI configuration (`readHostProviders`), with the given model as its only provider. */
export function givenAsHostAi({ baseURL, apiKey, model }: GivenModel): unknown {
  const models = [{ id: model, name: model, displayName: model, enabled: true }];
  return { providers: [{ id: 'environment', displayName: 'Environment', enabled: true, apiKey, baseURL, protocol: 'openai', models }] };
}

/** The settings without their choice of models. */
export function withGivenModel(settings: WorkspaceSettings): Pick<SettingsStore, 'get' | 'apiKey'> {
  return {
    get(): Settings {
      const { models, ...now } = settings.get();
      const { title: _left, ...others } = models;
      return { ...now, models: others, model: { source: 'host', providerId: 'environment', model: '' } };
    },
    apiKey: (id) => settings.apiKey(id),
  };
}
