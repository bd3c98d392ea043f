import * as v from 'valibot';
import { whyNotPlain } from '../../tools/util/plain-value.ts';
import { ServiceError } from '../contract/errors.ts';

const MIB = 1024 * 1024;
const MAX_BODY_BYTES = 10 * MIB;
/** Of a question with files. */
const MAX_QUESTION_BYTES = 40 * MIB;
/** What is too large is read to its end up to here: where the connection ends before, its sender reads of that and not of the reason. */
const MAX_READ_BYTES = 64 * MIB;
/** Fields and files of a form; each takes time to read. */
const MAX_PARTS = 100;

const tooLarge = (most: number): ServiceError =>
  new ServiceError(413, 'body_too_large', `the body is larger than ${most / MIB} MiB`, 'send less, or name notes instead of their text');

/** The body. Rejects with ServiceError as soon as it is too large, whatever its header says. */
async function readBytes(request: Request, most: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_READ_BYTES) throw tooLarge(most);
  if (!request.body) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of request.body) {
      size += part.byteLength;
      if (size > MAX_READ_BYTES) throw tooLarge(most);
      if (size <= most) parts.push(part);
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError(400, 'bad_body', 'the body did not arrive completely', 'send it again');
  }
  if (size > most) throw tooLarge(most);
  return Buffer.concat(parts);
}

/** The body's text. Rejects like `readBody`. */
export const readBodyText = async (request: Request): Promise<string> => (await readBytes(request, MAX_BODY_BYTES)).toString('utf8');

const badForm = (message: string): ServiceError =>
  new ServiceError(400, 'bad_form', message, 'send JSON, or multipart/form-data as curl -F does');

/** What separates the parts of a form. Throws ServiceError where nothing does, or there are too many. */
function boundaryOf(bytes: Buffer, type: string): string {
  const boundary = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./-]{1,70})(?=\s*(?:;|$)))/i.exec(type)?.slice(1).find(Boolean);
  if (boundary === undefined) throw badForm('the body is no form');
  let at = bytes.indexOf(`--${boundary}`);
  for (let parts = 0; at >= 0; parts += 1) {
    if (parts > MAX_PARTS) throw badForm(`the form has more than ${MAX_PARTS} parts`);
    at = bytes.indexOf(`--${boundary}`, at + 1);
  }
  return boundary;
}

/** The fields of a form; files as data URLs in `attachments`. Rejects with ServiceError. */
async function formFields(bytes: Buffer<ArrayBuffer>, type: string): Promise<unknown> {
  const headers = { 'content-type': `multipart/form-data; boundary="${boundaryOf(bytes, type)}"` };
  const fields: Record<string, unknown> = {};
  const attachments: { name: string; data: string }[] = [];
  try {
    for (const [name, value] of await new Response(bytes, { headers }).formData()) {
      if (typeof value === 'string') fields[name] = value === 'true' || value === 'false' ? value === 'true' : value;
      else
        attachments.push({
          name: value.name,
          data: `data:${value.type};base64,${Buffer.from(await value.arrayBuffer()).toString('base64')}`,
        });
    }
  } catch {
    throw badForm('the body is no form');
  }
  return attachments.length > 0 ? { ...fields, attachments } : fields;
}

function parsedBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ServiceError(400, 'bad_json', 'the body is not JSON', 'send JSON with Content-Type: application/json');
  }
}

/** The body of a question: JSON, or a form with files. Rejects like `readBody`. */
export async function readQuestion<const Entries extends v.ObjectEntries>(
  request: Request,
  format: v.ObjectSchema<Entries, undefined>,
): Promise<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  const type = request.headers.get('content-type') ?? '';
  const bytes = await readBytes(request, MAX_QUESTION_BYTES);
  const fields = /^multipart\/form-data/i.test(type) ? await formFields(bytes, type) : parsedBody(bytes);
  const question = readFields(fields, format);
  // Only files make a question larger than any other body.
  if (bytes.length > MAX_BODY_BYTES && Buffer.byteLength(JSON.stringify({ ...question, attachments: undefined })) > MAX_BODY_BYTES)
    throw tooLarge(MAX_BODY_BYTES);
  return question;
}

/** A JSON body of the given shape. Rejects with ServiceError, which names the invalid or unknown field. */
export async function readBody<const Entries extends v.ObjectEntries>(
  request: Request,
  format: v.ObjectSchema<Entries, undefined>,
): Promise<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  return readFields(parsedBody(await readBytes(request, MAX_BODY_BYTES)), format);
}

function readFields<const Entries extends v.ObjectEntries>(
  parsed: unknown,
  format: v.ObjectSchema<Entries, undefined>,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const reason = whyNotPlain(parsed);
  if (reason !== undefined)
    throw new ServiceError(400, 'bad_body', `the values of the body cannot be used: ${reason}`, 'send fewer levels and fewer values');
  const unknown = Object.keys(Object(parsed)).find((name) => !Object.hasOwn(format.entries, name));
  if (unknown !== undefined) {
    const names = Object.keys(format.entries).join(', ');
    throw new ServiceError(400, 'bad_body', `there is no field ${JSON.stringify(unknown.slice(0, 40))} here`, `use ${names}`);
  }
  const read = v.safeParse(format, parsed);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new ServiceError(400, 'bad_body', `${v.getDotPath(issue) ?? 'the body'}: ${issue.message}`, 'see docs/service.md for the fields');
}
