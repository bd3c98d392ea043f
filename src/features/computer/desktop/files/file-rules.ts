// Which paths are valid, before anything on the disk is read.
import { isAbsolute, relative, sep } from 'node:path';
import { ToolError } from '../../../../tools/contract/errors.ts';
import { preview } from '../../../../tools/util/graphemes.ts';

const MAX_PATH = 2000;

function badPath(path: string, why: string): ToolError {
  return new ToolError('bad_path', `"${preview(path, 120)}" ${why}`, 'give a path such as notes/plan.md, relative to the working folder');
}

/** Throws `bad_path` for anything other than a path below a folder. */
export function checkPathText(path: string, platform: NodeJS.Platform = process.platform): void {
  if (path.trim() === '') throw badPath(path, 'is empty');
  if (path.length > MAX_PATH) throw badPath(path, 'is too long');
  if (/\p{Cc}/u.test(path)) throw badPath(path, 'contains a control character');
  if (/^(?:\\\\|\/\/)/u.test(path)) throw badPath(path, 'is a network or device path');
  if (/^~/u.test(path)) throw badPath(path, 'begins with ~, which stands for the user’s home folder');
  if (platform === 'win32') checkWindowsPath(path);
  else if (/^[a-z]:[\\/]/iu.test(path) || path.includes('\\')) throw badPath(path, 'is a Windows path');
}

/** Drives except at the front, streams of a file, device names, and endings that Windows ignores. */
function checkWindowsPath(path: string): void {
  const rest = path.replace(/^[a-z]:[\\/]/iu, '');
  if (rest.includes(':')) throw badPath(path, 'names a drive or a stream of a file');
  for (const name of rest.split(/[\\/]/u)) {
    if (/^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\..*)?$/iu.test(name.trim())) throw badPath(path, 'names a device');
    if (name !== '.' && name !== '..' && /[. ]$/u.test(name)) throw badPath(path, 'has a name that ends with a dot or a space');
  }
}

/** Whether `path` is `folder` or is in it; both absolute and normalized. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Folders with keys or credentials. `conf` is SiYuan's own: it contains its tokens. */
const SECRET_FOLDERS: ReadonlySet<string> = new Set([
  ...['conf', '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.config', '.mozilla', '.git'],
]);
const SECRET_FILES =
  /^(?:\.env(?:\..*)?|.*\.env|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|pkcs12|keystore|jks|kdbx?|ppk)|[._]netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials|credentials(?:\.json)?)$/u;
/** Notes and SiYuan's index of them: their rights apply only if they are read as notes. */
const NOTE_FILES = /\.sy$|^(?:siyuan|blocktree|history|asset_content)\.db/u;

/** Whether the text of a path below an allowed folder suggests secrets, or notes. */
export function isSecret(path: string): boolean {
  const names = path.toLowerCase().split(/[\\/]/u);
  const file = names.at(-1) ?? '';
  return names.some((name) => SECRET_FOLDERS.has(name)) || SECRET_FILES.test(file) || NOTE_FILES.test(file);
}

export function secretError(path: string): ToolError {
  return new ToolError(
    'secret_file',
    `${preview(path, 120)} may contain keys, passwords or notes`,
    'go on without it; notes are read with the tools for notes',
  );
}

export function outsideError(path: string, folders: readonly string[]): ToolError {
  return new ToolError(
    'outside_folders',
    `${preview(path, 120)} is outside the folders that the user allowed (${folders.join(', ')})`,
    'use a path in one of these, or ask the user to allow another folder',
  );
}
