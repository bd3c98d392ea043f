import type { PluginStorage } from '../host/kernel/storage.ts';
import type { SecretStore } from '../host/settings/device-keys.ts';
import { openSettings, type SettingsStore, type TextStorage, type UnsavedSettings } from '../host/settings/settings.ts';
import { inBackground } from '../tools/util/notify.ts';
import { keyValueStore, unsavedPrefix } from './device-storage.ts';

const CHANNEL = 'siyuan-marginalia:settings';

export interface SharedSettingsOptions {
  readonly storage: Pick<PluginStorage, 'read' | 'write' | 'list'>;
  readonly secrets: SecretStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted when the product ends. */
  readonly signal: AbortSignal;
}

function unsavedSettings(): UnsavedSettings {
  const key = `${unsavedPrefix()}settings`;
  return {
    get: () => keyValueStore.get(key),
    set(text) {
      if (text === null) return keyValueStore.remove(key);
      try {
        keyValueStore.set(key, text);
      } catch {
        keyValueStore.remove(key); // No room: then only the save protects the change.
      }
    },
  };
}

/** Reads what others wrote. If the host does not answer, the known settings apply, and the next change, sync or turn reads them. */
export function readSettings(settings: Pick<SettingsStore, 'reload'>): Promise<void> {
  return settings.reload().catch(() => undefined);
}

/** The settings of this window: it announces its writes to the device's other windows, and merges theirs. */
export async function openSharedSettings({ storage, secrets, now, signal }: SharedSettingsOptions): Promise<SettingsStore> {
  const channel = new BroadcastChannel(CHANNEL);
  signal.addEventListener('abort', () => channel.close());
  const announcingStorage: TextStorage = {
    read: (path) => storage.read(path),
    list: async (folder) => (await storage.list(folder)).map(({ name }) => name),
    async write(path, text) {
      await storage.write(path, text);
      // A closed channel throws.
      if (!signal.aborted) channel.postMessage('written');
    },
  };
  const settings = await openSettings(announcingStorage, secrets, now, unsavedSettings());
  const read = (): void => inBackground(readSettings(settings));
  channel.addEventListener('message', read);
  // Other devices and browser profiles announce nothing: returning to this window reads what they changed.
  window.addEventListener('focus', read, { signal });
  return settings;
}
