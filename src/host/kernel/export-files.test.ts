import { describe, expect, it } from 'vitest';
import { createExportFiles } from './export-files.ts';

function folder(...names: string[]) {
  const files = new Map(names.map((name) => [name, 'older']));
  const storage = {
    list: async () => [...files.keys()].map((name) => ({ name, isDir: false })),
    write: async (name: string, text: string) => void files.set(name, text),
  };
  return { files, port: createExportFiles(storage) };
}

describe('an exported file', () => {
  it('lies in the folder of exports under its own name', async () => {
    const { files, port } = folder();
    expect(await port.write('Apollo.md', '# Apollo')).toEqual({ path: 'temp/export/Apollo.md' });
    expect(files.get('Apollo.md')).toBe('# Apollo');
  });

  it('gets a neighbour’s name instead of overwriting, whatever the case of the letters', async () => {
    const { files, port } = folder('apollo.md', 'Apollo (2).md');
    expect(await port.write('Apollo.md', 'new')).toEqual({ path: 'temp/export/Apollo (3).md' });
    expect(files.get('apollo.md')).toBe('older');
    expect(files.get('Apollo (2).md')).toBe('older');
  });

  it('never leaves the folder', async () => {
    const { files, port } = folder();
    await expect(port.write('../conf.json', 'x')).rejects.toMatchObject({ code: 'bad_path' });
    await expect(port.write('', 'x')).rejects.toMatchObject({ code: 'bad_path' });
    expect(files.size).toBe(0);
  });
});
