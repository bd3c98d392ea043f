import type { PluginStorage } from '../../host/kernel/storage.ts';
import type { SkillFiles } from './skills.ts';

/** Files of SiYuan's own agent in the workspace's `data` folder. */
export const skillFiles = ({ read, list }: Pick<PluginStorage, 'read' | 'list'>): SkillFiles => ({
  read,
  folders: async (path) => (await list(path)).flatMap(({ name, isDir }) => (isDir ? [name] : [])),
});
