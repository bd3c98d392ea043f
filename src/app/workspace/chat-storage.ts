import type { ChatStorage } from '../../chat/store/storage-port.ts';
import type { PluginStorage } from '../../host/kernel/storage.ts';

/** The plugin's storage in the workspace, as a storage for chats. */
export function asChatStorage(storage: PluginStorage): ChatStorage {
  return {
    read: (path) => storage.read(path),
    write: (path, text) => storage.write(path, text),
    remove: (path) => storage.remove(path),
    list: async (folder) => (await storage.list(folder)).map((entry) => entry.name),
    modified: async (folder) => {
      const files = (await storage.list(folder)).filter((entry) => !entry.isDir);
      return new Map(files.map(({ name, updated = 0 }) => [name, updated]));
    },
  };
}
