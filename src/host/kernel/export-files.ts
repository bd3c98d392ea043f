import { ToolError } from '../../tools/contract/errors.ts';
import type { ExportFiles } from '../../tools/contract/ports.ts';
import type { PluginStorage } from './storage.ts';

/** SiYuan's own folder for exports: not synced, served to the user's browser, emptied by SiYuan. */
export const EXPORT_ROOT = '/temp/export';

const MAX_NEIGHBOURS = 1000;

function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let count = 1; count <= MAX_NEIGHBOURS; count++) {
    const candidate = count === 1 ? name : `${stem} (${count})${ending}`;
    // File systems on other devices may ignore case.
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
  throw new ToolError('path_exists', `there are ${MAX_NEIGHBOURS} exports named ${name}`, 'ask the user to clear SiYuan’s export folder');
}

/** `storage`: the plugin's file access with EXPORT_ROOT as its root. */
export function createExportFiles(storage: Pick<PluginStorage, 'list' | 'write'>): ExportFiles {
  // Serialized: two concurrent exports with one name must not both find it free.
  let last: Promise<unknown> = Promise.resolve();
  async function writeNext(name: string, markdown: string): Promise<{ readonly path: string }> {
    const taken = new Set((await storage.list('')).map((entry) => entry.name.toLowerCase()));
    const free = freeName(name, taken);
    await storage.write(free, markdown);
    return { path: `${EXPORT_ROOT.slice(1)}/${free}` };
  }
  return {
    async write(name, markdown) {
      if (name === '' || /[\\/]/u.test(name)) throw new ToolError('bad_path', `"${name}" is not a file name`, 'give a plain name');
      const write = (): Promise<{ readonly path: string }> => writeNext(name, markdown);
      const next = last.then(write, write);
      last = next.catch(() => undefined);
      return next;
    },
  };
}
