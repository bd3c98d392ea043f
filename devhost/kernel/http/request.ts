import type { IncomingMessage } from 'node:http';
import type { RequestBody, UploadedFile } from '../router.ts';

/** Bodies beyond this are refused (256 MiB: an import of assets still fits). */
const MAX_BYTES = 256 * 1024 * 1024;

export interface ParsedBody {
  readonly body: RequestBody;
  readonly files: readonly UploadedFile[];
}

export class BodyTooLarge extends Error {}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new BodyTooLarge(`request body beyond ${MAX_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function readForm(bytes: Buffer, contentType: string): Promise<ParsedBody> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  const body: RequestBody = {};
  const files: UploadedFile[] = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') body[field] = value;
    else files.push({ field, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return { body, files };
}

/** What is no JSON, or no object, is an empty body, as the kernel reads it. */
export function bodyOf(json: string): RequestBody {
  try {
    const value: unknown = JSON.parse(json);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as RequestBody) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** JSON or a form. */
export async function readBody(request: IncomingMessage): Promise<ParsedBody> {
  const contentType = request.headers['content-type'] ?? '';
  const bytes = await readBytes(request);
  if (contentType.startsWith('multipart/form-data')) return readForm(bytes, contentType);
  if (bytes.length === 0) return { body: {}, files: [] };
  return { body: bodyOf(bytes.toString('utf8')), files: [] };
}
