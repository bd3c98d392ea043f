import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkPlugin } from './plugin-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugin-folder-'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'index.js'), 'built');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the folder with the built plugin', () => {
  it('shows the build through a link', () => {
    const plugins = linkPlugin(join(folder, 'dist'), join(folder, 'cache', 'plugins'));
    expect(readFileSync(join(plugins, 'siyuan-marginalia', 'index.js'), 'utf8')).toBe('built');
  });

  it('leaves a right folder alone and replaces a wrong one, but never the build', () => {
    const [dist, plugins] = [join(folder, 'dist'), join(folder, 'plugins')];
    linkPlugin(dist, plugins);
    const link = join(plugins, 'siyuan-marginalia');
    const made = lstatSync(link).ino;
    expect(lstatSync(join(linkPlugin(dist, plugins), 'siyuan-marginalia')).ino).toBe(made);
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'index.js'), 'other');
    expect(readFileSync(join(linkPlugin(other, plugins), 'siyuan-marginalia', 'index.js'), 'utf8')).toBe('other');
    expect(readFileSync(join(dist, 'index.js'), 'utf8')).toBe('built');
  });
});
