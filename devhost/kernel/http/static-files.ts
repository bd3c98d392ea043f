import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.pdf': 'application/pdf',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.m4a': 'audio/mp4',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

export const contentTypeOf = (path: string): string => TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';

/** A file below `folder`, or undefined when there is none or the path leaves the folder. */
export function fileBelow(folder: string, path: string): string | undefined {
  const file = normalize(join(folder, path));
  if (!file.startsWith(normalize(folder + sep))) return undefined;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/**
 * Sends a file as SiYuan does (Go's file server): with the time of its last change and nothing else about caching, so that a browser
 * may use it again for a while without asking, and a changed file needs a new name.
 */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: string): void {
  const { size, mtime } = statSync(file);
  const changed = mtime.toUTCString();
  const known = Date.parse(request.headers['if-modified-since'] ?? '');
  if (Date.parse(changed) <= known) {
    response.writeHead(304, { 'Last-Modified': changed }).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': contentTypeOf(file), 'Content-Length': size, 'Last-Modified': changed });
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}
