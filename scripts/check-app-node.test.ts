import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { APP_NODE } from '../src/desktop/app-node.ts';
import { checkAppNode, checkUses, nodeUses } from './check-app-node.ts';

const everything = Object.entries(APP_NODE).flatMap(([of, names]) => names.map((name) => ({ of, name })));

describe('what a page uses of Node', () => {
  it('is what the list names, and all of it', () => {
    expect(checkAppNode(dirname(import.meta.dirname))).toEqual([]);
  });

  it.each([
    ["import { readFileSync, type Stats } from 'node:fs';", ['node:fs readFileSync']],
    ["import type { Server } from 'node:http';", []],
    ["import * as fs from 'node:fs';", ['node:fs *']],
    ["import fs, { readFileSync } from 'node:fs';", ['node:fs *']],
    ["import vm from 'node:vm';", ['node:vm *']],
    ['const own = process.platform; const all = process;', ['process platform', 'process *']],
    ["require('fs'); globalThis.require('fs'); window.process;", ['require *', 'require *', 'process *']],
    ['const { require: taken } = globalThis;', ['require *']],
    ['const given: Buffer = answer.process; class A { require() {} }', []],
  ])('is found in %s', (text, found) => {
    expect(nodeUses(text).map(({ of, name }) => `${of} ${name}`)).toEqual(found);
  });

  it('may be neither more nor less', () => {
    const other = { path: 'src/app/other.ts', uses: [...everything, { of: 'node:vm', name: 'Script' }, { of: 'process', name: 'exit' }] };
    expect(checkUses([other])).toEqual([
      expect.stringContaining('src/app/other.ts: node:vm, Script is not in'),
      expect.stringContaining('src/app/other.ts: process, exit is not in'),
    ]);
    const less = { path: 'src/app/other.ts', uses: everything.filter(({ name }) => name !== 'spawn') };
    expect(checkUses([less])).toEqual(['src/desktop/app-node.ts: nothing uses node:child_process, spawn']);
  });
});
