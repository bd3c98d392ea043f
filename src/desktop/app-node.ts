/** What SiYuan's desktop app gives its pages of Node: two globals, and modules by `require`. */
interface NodeOfApp {
  readonly process: NodeJS.Process;
  readonly Buffer: BufferConstructor;
  readonly 'node:child_process': typeof import('node:child_process');
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:dns/promises': typeof import('node:dns/promises');
  readonly 'node:fs': typeof import('node:fs');
  readonly 'node:fs/promises': typeof import('node:fs/promises');
  readonly 'node:http': typeof import('node:http');
  readonly 'node:https': typeof import('node:https');
  readonly 'node:net': typeof import('node:net');
  readonly 'node:os': typeof import('node:os');
  readonly 'node:path': typeof import('node:path');
  readonly 'node:url': typeof import('node:url');
  readonly 'node:util': typeof import('node:util');
  readonly 'node:zlib': typeof import('node:zlib');
}

/** All that the plugin uses of it in a page; scripts/check-app-node.ts refuses the rest. */
export const APP_NODE = {
  process: ['env', 'execPath', 'kill', 'pid', 'platform', 'versions'],
  Buffer: ['byteLength', 'concat', 'from'],
  'node:child_process': ['execFile', 'spawn'],
  'node:crypto': ['createHash', 'randomBytes', 'timingSafeEqual'],
  'node:dns/promises': ['lookup'],
  'node:fs': ['constants', 'existsSync', 'readFileSync', 'readdirSync', 'statSync'],
  'node:fs/promises': [
    ...(['access', 'constants', 'link', 'lstat', 'mkdir', 'mkdtemp', 'open', 'opendir', 'readFile', 'readdir'] as const),
    ...(['realpath', 'rename', 'rm', 'stat', 'unlink', 'writeFile'] as const),
  ],
  'node:http': ['Agent', 'createServer', 'request'],
  'node:https': ['Agent', 'request'],
  'node:net': ['BlockList', 'isIP'],
  'node:os': ['networkInterfaces', 'tmpdir'],
  'node:path': ['basename', 'dirname', 'isAbsolute', 'join', 'normalize', 'relative', 'resolve', 'sep'],
  'node:url': ['fileURLToPath'],
  'node:util': ['promisify'],
  'node:zlib': ['createBrotliDecompress', 'createGunzip', 'createInflate'],
} as const satisfies { readonly [Name in keyof NodeOfApp]: readonly (keyof NodeOfApp[Name])[] };
