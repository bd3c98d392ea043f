import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { absoluteLinks } from '../esbuild.config.mjs';
import { type PackageFiles, packageProblems } from './package-rules.ts';

const root = dirname(import.meta.dirname);
const ours = (name: string): Uint8Array => readFileSync(join(root, name));
const manifest = JSON.parse(readFileSync(join(root, 'plugin.json'), 'utf8'));

/** What the build puts into a package, with a script that loads another. */
function files(changes: Readonly<Record<string, string | Uint8Array | null>> = {}): PackageFiles {
  const whole = new Map<string, Uint8Array>([
    ...['plugin.json', 'LICENSE', 'icon.png', 'preview.png', 'i18n/en_US.json'].map((name) => [name, ours(name)] as const),
    ...['README.md', 'README_zh_CN.md'].map((name) => [name, Buffer.from(absoluteLinks(ours(name).toString()))] as const),
    ['index.js', Buffer.from('import("./panel-1.js")')],
    ['panel-1.js', Buffer.from('export{}')],
  ]);
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) whole.delete(name);
    else whole.set(name, Buffer.from(text));
  }
  return whole;
}
const withManifest = (changes: object): PackageFiles => files({ 'plugin.json': JSON.stringify({ ...manifest, ...changes }) });

describe('the rules of the marketplace', () => {
  it('are kept by what this repository publishes', () => {
    expect(packageProblems(files())).toEqual([]);
  });

  it.each(['plugin.json', 'index.js', 'README.md', 'LICENSE', 'icon.png', 'preview.png'])('ask for %s at the root', (name) => {
    expect(packageProblems(files({ [name]: null }))).toEqual([`${name} is not at the root`]);
  });

  it.each(['.DS_Store', 'i18n/.hidden', '__MACOSX/icon.png', 'a.tmp', 'panel-1.js.map', 'con.json', 'a/nul', ' a.js', 'i18n/a .json '])(
    'take no file %j',
    (name) => {
      expect(packageProblems(files({ [name]: 'x' }))).toEqual([expect.stringContaining(name)]);
    },
  );

  it.each([
    ['a version with a v', { version: 'v1.2.3' }],
    ['a version of two numbers', { version: '1.2' }],
    ['a least version of SiYuan that is none', { minAppVersion: 'newest' }],
    ['a name with a space', { name: 'my plugin' }],
    ['a name of 65 characters', { name: 'a'.repeat(65) }],
    ['no author', { author: ' ' }],
    ['an address with a slash at its end', { url: 'https://github.com/a/b/' }],
    ['an address elsewhere', { url: 'https://gitlab.com/a/b' }],
    ['a backend that there is not', { backends: ['windows', 'amiga'] }],
    ['no frontend', { frontends: [] }],
    ['the name of SiYuan in a keyword', { keywords: ['SiYuan notes'] }],
    ['the name of SiYuan in its own', { displayName: { default: 'SiYuan chat' } }],
    ['its Chinese name in its own', { displayName: { default: 'Chat', zh_CN: '思源聊天', 'zh-CN': '思源聊天' } }],
    ['a locale in one spelling', { description: { default: 'Ask', zh_CN: '问' } }],
    ['a locale that says two things', { description: { default: 'Ask', zh_CN: '问', 'zh-CN': '答' } }],
    ['a locale whose newer name is another', { description: { default: 'Ask', zh_CHT: '問', 'zh-CHT': '問' } }],
    ['no default text', { description: { zh_CN: '问', 'zh-CN': '问' } }],
    ['a README that is missing', { readme: { default: 'README_de.md' } }],
    ['a key that there is not', { homepage: 'x' }],
    ['a page for everybody', { disabledInPublish: false }],
  ])('refuse a manifest with %s', (_what, changes) => {
    expect(packageProblems(withManifest(changes))).toEqual([expect.stringMatching(/^plugin\.json: /)]);
  });

  it('hold the pictures to their kind, size and weight', () => {
    const icon = Buffer.from(ours('icon.png'));
    const wide = Buffer.from(icon);
    wide.writeUInt32BE(161, 16);
    expect(packageProblems(files({ 'icon.png': wide }))).toEqual(['icon.png is 161×160, not 160×160']);
    expect(packageProblems(files({ 'icon.png': 'GIF89a' }))).toEqual(['icon.png is no PNG']);
    expect(packageProblems(files({ 'icon.png': Buffer.concat([icon, Buffer.alloc(20_000)]) }))).toEqual([
      `icon.png has ${icon.length + 20_000} bytes, at most 20000`,
    ]);
  });

  it('take no README with links into the repository, and no script that loads a missing one', () => {
    expect(packageProblems(files({ 'README.md': 'See [the guide](docs/guide.md) and [it](https://a.b).' }))).toEqual([
      'README.md leads to docs/guide.md, which is not on the web',
    ]);
    expect(packageProblems(files({ 'panel-1.js': 'import{a}from"./late-2.js";import("./late-3.mjs")' }))).toEqual([
      'panel-1.js imports late-2.js, which is not in the package',
      'panel-1.js imports late-3.mjs, which is not in the package',
    ]);
  });
});
