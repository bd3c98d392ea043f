import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('installs nothing through a link: what it leads to is another checkout’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-run-'));
  try {
    const [own, other] = [join(folder, 'own'), join(folder, 'other')];
    for (const each of [join(own, 'scripts'), join(other, 'package')]) mkdirSync(each, { recursive: true });
    writeFileSync(join(other, 'package', 'index.js'), 'kept');
    writeFileSync(join(own, 'package-lock.json'), '{ "lockfileVersion": 3, "packages": {} }');
    writeFileSync(join(own, 'package.json'), '{ "name": "own", "version": "0.0.0" }');
    for (const name of ['run.mjs', 'check-node.mjs']) copyFileSync(`scripts/${name}`, join(own, 'scripts', name));
    symlinkSync(other, join(own, 'node_modules'), 'dir');
    const { status, stderr } = spawnSync(process.execPath, [join(own, 'scripts', 'run.mjs'), 'host'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('node_modules is a link')]);
    expect(readFileSync(join(other, 'package', 'index.js'), 'utf8')).toBe('kept');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
