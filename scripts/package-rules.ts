// What SiYuan's marketplace asks of a package, by its older and its newer rules: a package has to pass both.
import { Buffer } from 'node:buffer';

export type PackageFiles = ReadonlyMap<string, Uint8Array>;

const KEYS = [
  ...['name', 'author', 'url', 'version', 'minAppVersion', 'backends', 'frontends', 'kernels', 'disabledInPublish'],
  ...['displayName', 'description', 'readme', 'funding', 'keywords'],
];
const BACKENDS = ['windows', 'linux', 'darwin', 'docker', 'android', 'ios', 'harmony', 'all'];
const FRONTENDS = ['desktop', 'desktop-window', 'mobile', 'browser-desktop', 'browser-mobile', 'all'];
const REQUIRED = ['plugin.json', 'index.js', 'README.md', 'LICENSE', 'icon.png', 'preview.png'];
const IMAGES = [
  { name: 'icon.png', width: 160, height: 160, bytes: 20_000 },
  { name: 'preview.png', width: 1024, height: 768, bytes: 200_000 },
];
/** Bytes, gzip, of all but pictures; of the script that runs when SiYuan starts. */
export const LIMITS = { all: 1_620_000, start: 11_800 };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

const textOf = (files: PackageFiles, name: string): string => Buffer.from(files.get(name) ?? []).toString('utf8');

/** Problems of a package, none where it may be published. Paths have `/` between their parts. */
export function packageProblems(files: PackageFiles): readonly string[] {
  const missing = REQUIRED.filter((name) => !files.has(name)).map((name) => `${name} is not at the root`);
  if (missing.length > 0) return missing;
  return [...pathProblems(files), ...imageProblems(files), ...manifestProblems(files), ...linkProblems(files)];
}

function pathProblems(files: PackageFiles): string[] {
  return [...files.keys()].flatMap((path) => {
    const parts = path.split('/');
    const isLeftOver = parts.some((part) => part.startsWith('.') || part === '__MACOSX' || part.endsWith('.tmp') || part.endsWith('.map'));
    if (isLeftOver) return [`${path} does not belong into a package`];
    return parts.some((part) => part === '' || part !== part.trim() || DEVICE.test(part)) ? [`${path} is no name on every system`] : [];
  });
}

function imageProblems(files: PackageFiles): string[] {
  return IMAGES.flatMap(({ name, width, height, bytes }) => {
    const image = Buffer.from(files.get(name) ?? []);
    if (!image.subarray(0, PNG.length).equals(PNG)) return [`${name} is no PNG`];
    const [hasWidth, hasHeight] = [image.readUInt32BE(16), image.readUInt32BE(20)];
    return [
      ...(hasWidth === width && hasHeight === height ? [] : [`${name} is ${hasWidth}×${hasHeight}, not ${width}×${height}`]),
      ...(image.length <= bytes ? [] : [`${name} has ${image.length} bytes, at most ${bytes}`]),
    ];
  });
}

function manifestProblems(files: PackageFiles): string[] {
  const manifest: Record<string, unknown> = JSON.parse(textOf(files, 'plugin.json'));
  const { name, author, url, version, minAppVersion, backends, frontends, keywords, disabledInPublish } = manifest;
  const isIn = (values: unknown, known: readonly string[]): boolean =>
    Array.isArray(values) && values.length > 0 && values.every((value) => known.includes(value));
  const rules: readonly (readonly [boolean, string])[] = [
    [Object.keys(manifest).every((key) => KEYS.includes(key)), `keys: only ${KEYS.join(', ')}`],
    [typeof name === 'string' && /^[\x21-\x7e]{1,64}$/.test(name), 'name: 1 to 64 printable characters of ASCII'],
    [typeof author === 'string' && author.trim() !== '', 'author: not empty'],
    [typeof url === 'string' && /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(url), 'url: https://github.com/owner/repository'],
    [typeof version === 'string' && VERSION.test(version), 'version: three numbers, without a v'],
    [typeof minAppVersion === 'string' && VERSION.test(minAppVersion), 'minAppVersion: three numbers, without a v'],
    [isIn(backends, BACKENDS), `backends: of ${BACKENDS.join(', ')}`],
    [isIn(frontends, FRONTENDS), `frontends: of ${FRONTENDS.join(', ')}`],
    [disabledInPublish === true, 'disabledInPublish: true, since the plugin writes'],
    [
      Array.isArray(keywords) && keywords.every((word) => typeof word === 'string' && !/siyuan|思源/i.test(word)),
      'keywords: texts without the name of SiYuan',
    ],
    ...(['displayName', 'description', 'readme'] as const).map((key) => localeRule(key, manifest[key])),
    [Object.values(manifest.readme ?? {}).every((file) => files.has(String(file))), 'readme: every file that is named is in the package'],
  ];
  return rules.flatMap(([holds, rule]) => (holds ? [] : [`plugin.json: ${rule}`]));
}

/** SiYuan's older names of languages that do not only have `_` for `-`. */
const NEWER_NAMES: Readonly<Record<string, string>> = { zh_CHT: 'zh-TW', en_US: 'en' };

/** Locales were spelt with an underscore, and are with a hyphen: both spellings say the same. */
function localeRule(key: string, texts: unknown): readonly [boolean, string] {
  const byLocale = new Map(Object.entries(typeof texts === 'object' && texts !== null ? texts : {}));
  const areTexts = byLocale.has('default') && [...byLocale.values()].every((text) => typeof text === 'string' && text.trim() !== '');
  const areTwofold = [...byLocale].every(([locale, text]) => byLocale.get(NEWER_NAMES[locale] ?? locale.replace('_', '-')) === text);
  const isNamed = key === 'displayName' && [...byLocale.values()].some((text) => /siyuan|思源/i.test(String(text)));
  return [
    areTexts && areTwofold && !isNamed,
    `${key}: a text for "default", each locale as zh_CN and as zh-CN (zh_CHT and zh-TW)${key === 'displayName' ? ', without the name of SiYuan' : ''}`,
  ];
}

/** The marketplace shows the README elsewhere, and a script that names a missing one fails when it is needed. */
function linkProblems(files: PackageFiles): string[] {
  return [...files.keys()].flatMap((path) => {
    if (path.endsWith('.md')) {
      const relative = /\]\((?!https?:|#|mailto:)([^)\s]+)\)/.exec(textOf(files, path))?.[1];
      return relative === undefined ? [] : [`${path} leads to ${relative}, which is not on the web`];
    }
    if (!/\.m?js$/.test(path)) return [];
    const named = [...textOf(files, path).matchAll(/(?:from|import|import\()"\.\/([\w-]+\.m?js)"/g)].map(([, file = '']) => file);
    return named.filter((file) => !files.has(file)).map((file) => `${path} imports ${file}, which is not in the package`);
  });
}
