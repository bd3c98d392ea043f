import { ToolError } from '../contract/errors.ts';

/** Files of SiYuan's own in the folder of assets: texts of all pictures, and of what the phone's notifications say. */
const OF_THE_HOST: ReadonlySet<string> = new Set(['assets/ocr-texts.json', 'assets/android-notification-texts.txt']);

/** The path of a file below `assets/`, without a query; undefined for all else, a PDF's notes (`.sya`) and SiYuan's own files. */
export function assetPath(address: string): string | undefined {
  const path = address.trim().split('?', 1)[0] ?? '';
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\p{Cc}]/u.test(path);
  if (parts[0] !== 'assets' || parts.length < 2 || !isPlain) return undefined;
  return path.toLowerCase().endsWith('.sya') || OF_THE_HOST.has(path) ? undefined : path;
}

export function requireAssetPath(address: string): string {
  const path = assetPath(address);
  if (path === undefined)
    throw new ToolError(
      'bad_path',
      `"${address.slice(0, 120)}" is no file that notes use`,
      'give a path that begins with assets/, as assets op=list has it',
    );
  return path;
}
