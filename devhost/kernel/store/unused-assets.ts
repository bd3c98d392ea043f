import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

/** Below the folder of data. */
function filesBelow(dataFolder: string, folder: string): readonly string[] {
  const root = join(dataFolder, folder);
  if (!existsSync(root)) return [];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dataFolder.length + 1)
        .replaceAll(sep, '/'),
    );
}

/** Files that no note and no database names, the newest first (tests/contract/recorded/asset-cleaning.json). */
export function unusedAssets(dataFolder: string, notebooks: readonly string[]): readonly { item: string; name: string }[] {
  const inNotebooks = notebooks.flatMap((id) => filesBelow(dataFolder, id));
  const users = [...inNotebooks.filter((path) => path.endsWith('.sy')), ...filesBelow(dataFolder, 'storage/av')];
  const texts = users.map((path) => readFileSync(join(dataFolder, path), 'utf8'));
  const address = (path: string): string => path.slice(path.indexOf('assets/'));
  const isUsed = (path: string): boolean => texts.some((text) => text.includes(address(path).replace(/\.pdf\.sya$/u, '.pdf')));
  const changed = (path: string): number => statSync(join(dataFolder, path)).mtimeMs;
  return [...filesBelow(dataFolder, 'assets'), ...inNotebooks.filter((path) => path.includes('/assets/'))]
    .filter((path) => !path.endsWith('ocr-texts.json') && !isUsed(path))
    .sort((one, other) => changed(other) - changed(one))
    .map((item) => ({ item, name: basename(item) }));
}
