import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ApiError } from '../api-error.ts';
import { contentTypeOf } from '../http/static-files.ts';
import type { Kernel } from '../kernel.ts';
import { RawAnswer, type RequestBody, type RouteTable } from '../router.ts';
import { isTemporary, writeFileAtomic } from '../store/atomic-file.ts';
import { MissingParameter, text } from './parameters.ts';

/** The file of a workspace path; leaving the workspace is code 403. */
function inWorkspace(kernel: Kernel, path: string): string {
  const file = resolve(join(kernel.workspace, path));
  const inside = relative(kernel.workspace, file);
  if (inside === '..' || inside.startsWith('../') || inside.startsWith('..\\'))
    throw new ApiError(403, `Path [${path}] is not in workspace`);
  return file;
}

function existing(kernel: Kernel, body: RequestBody): string {
  const path = text(body, 'path');
  const file = inWorkspace(kernel, path);
  if (!existsSync(file)) throw new ApiError(404, 'path does not exist');
  return file;
}

function read(body: RequestBody, kernel: Kernel): RawAnswer {
  const file = existing(kernel, body);
  if (statSync(file).isDirectory()) throw new ApiError(409, 'path is a directory');
  if (relative(kernel.workspace, file) === join('conf', 'conf.json')) throw new ApiError(403, 'Forbidden');
  return new RawAnswer(200, contentTypeOf(file), new Uint8Array(readFileSync(file)));
}

/** Failures of getFile are HTTP 202 with the envelope as their body (tests/contract/recorded/files.json). */
function accepted(error: unknown): RawAnswer {
  const failure = error instanceof MissingParameter ? new ApiError(-1, 'Field [path] is required') : error;
  if (!(failure instanceof ApiError)) throw failure;
  return new RawAnswer(202, 'application/json; charset=utf-8', JSON.stringify({ code: failure.code, msg: failure.message, data: null }));
}

export const fileRoutes: RouteTable = {
  '/api/file/getFile': (body, { kernel }) => {
    try {
      return read(body, kernel);
    } catch (error) {
      return accepted(error);
    }
  },

  '/api/file/putFile': {
    writes: true,
    handle: (body, { kernel, files }) => {
      const path = text(body, 'path');
      if (path === '') throw new ApiError(400, 'path must not be empty');
      const target = inWorkspace(kernel, path);
      if (body.isDir === 'true' || body.isDir === true) {
        mkdirSync(target, { recursive: true });
        return null;
      }
      const upload = files.find((f) => f.field === 'file');
      const content = upload?.bytes ?? (typeof body.file === 'string' ? body.file : undefined);
      if (content === undefined) throw new ApiError(400, 'Field [file] must not be empty');
      if (existsSync(target) && statSync(target).isDirectory()) throw new ApiError(400, 'path is a directory');
      writeFileAtomic(target, content);
      const modified = Number(body.modTime);
      if (Number.isFinite(modified) && modified > 0) utimesSync(target, modified / 1000, modified / 1000);
      return null;
    },
  },

  '/api/file/readDir': (body, { kernel }) => {
    const folder = existing(kernel, body);
    if (!statSync(folder).isDirectory()) throw new ApiError(409, 'path is not a directory');
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !isTemporary(entry.name))
      .map((entry) => {
        const updated = Math.floor(statSync(join(folder, entry.name)).mtimeMs / 1000);
        return { isDir: entry.isDirectory(), isSymlink: entry.isSymbolicLink(), name: entry.name, updated };
      });
  },

  '/api/file/renameFile': {
    writes: true,
    handle: (body, { kernel }) => {
      const from = existing(kernel, body);
      const to = inWorkspace(kernel, text(body, 'newPath'));
      if (existsSync(to)) throw new ApiError(409, 'Field [newPath]: path already exists');
      mkdirSync(dirname(to), { recursive: true });
      renameSync(from, to);
      return null;
    },
  },

  '/api/file/removeFile': {
    writes: true,
    handle: (body, { kernel }) => {
      const file = existing(kernel, body);
      if (relative(kernel.workspace, file) === '') throw new ApiError(403, 'the workspace itself is not removed');
      rmSync(file, { recursive: true });
      return null;
    },
  },
};
