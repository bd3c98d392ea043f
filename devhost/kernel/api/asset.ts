import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { ApiError } from '../api-error.ts';
import { fileBelow } from '../http/static-files.ts';
import type { Kernel } from '../kernel.ts';
import type { RouteTable, UploadedFile } from '../router.ts';
import { assetFolders } from '../store/asset-folders.ts';
import { readJson, writeFileAtomic } from '../store/atomic-file.ts';
import { unusedAssets } from '../store/unused-assets.ts';
import { newId } from '../tree/time.ts';
import { text } from './parameters.ts';

/** Without the signs that a link or a file system would trip over (tests/contract/recorded/assets.json). */
function cleanName(name: string): string {
  const cleaned = name
    .replaceAll(/[\\/:*?"'<>|]/g, '_')
    .replaceAll(/[~[\]()!`&{}=#%$;]/g, '')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  const ending = extname(cleaned);
  return `${cleaned.slice(0, cleaned.length - ending.length).slice(0, 120)}${ending.toLowerCase()}`;
}

/** Its path in the folder of assets; the same bytes by the same name are kept once. */
function save(folder: string, { name, bytes }: UploadedFile): string {
  const cleaned = cleanName(name);
  const ending = extname(cleaned);
  const stem = cleaned.slice(0, cleaned.length - ending.length);
  const named = (entry: string): boolean => entry.slice(0, -(ending.length + 23)) === stem && entry.endsWith(ending);
  const same = existsSync(folder)
    ? readdirSync(folder).find((entry) => named(entry) && Buffer.compare(readFileSync(join(folder, entry)), bytes) === 0)
    : undefined;
  const stored = same ?? `${stem}-${newId()}${ending}`;
  if (same === undefined) writeFileAtomic(join(folder, stored), bytes);
  return `assets/${stored}`;
}

const MOST_UNUSED = 512;

/** Where SiYuan keeps what it recognized in pictures, by their paths. */
const textsFile = ({ dataFolder }: Kernel): string => join(dataFolder, 'assets', 'ocr-texts.json');
const pictureTexts = (kernel: Kernel): Record<string, string> => readJson<Record<string, string>>(textsFile(kernel), {});

export const assetRoutes: RouteTable = {
  '/api/asset/getUnusedAssets': (_body, { kernel }) =>
    unusedAssets(
      kernel.dataFolder,
      kernel.notebooks.list().map(({ id }) => id),
    ).slice(0, MOST_UNUSED),

  '/api/asset/getImageOCRText': (body, { kernel }) => ({ text: pictureTexts(kernel)[text(body, 'path')] ?? '' }),

  '/api/asset/setImageOCRText': {
    writes: true,
    handle: (body, { kernel }) => {
      writeFileAtomic(textsFile(kernel), JSON.stringify({ ...pictureTexts(kernel), [text(body, 'path')]: text(body, 'text') }));
      return null;
    },
  },

  '/api/asset/upload': {
    writes: true,
    handle: (body, { kernel, files, headers }) => {
      if (!headers['content-type']?.startsWith('multipart/form-data'))
        throw new ApiError(-1, "request Content-Type isn't multipart/form-data");
      // What a document's own folder of assets would change is not told apart here.
      if (typeof body.id === 'string' && !kernel.documents.block(body.id)) throw new ApiError(-1, 'tree not found');
      const folder = join(kernel.dataFolder, 'assets');
      const uploads = files.filter(({ field }) => field === 'file[]');
      return { errFiles: null, succMap: Object.fromEntries(uploads.map((file) => [file.name, save(folder, file)])) };
    },
  },

  '/api/asset/statAsset': (body, { kernel }) => {
    const [path = '', query] = text(body, 'path').split('?', 2);
    const plain = normalize(path);
    const folders = plain.startsWith('assets/') ? assetFolders(kernel, new URLSearchParams(query).get('box')) : [];
    const file = folders.map((folder) => fileBelow(folder, plain)).find((found) => found !== undefined);
    if (file === undefined) throw new ApiError(1, '');
    const { size, mtimeMs } = statSync(file);
    const hUpdated = new Date(mtimeMs).toISOString();
    return { size, hSize: `${size} B`, created: mtimeMs, hCreated: hUpdated, updated: mtimeMs, hUpdated };
  },
};
