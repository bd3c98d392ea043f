import * as v from 'valibot';
import { whyNotPlain } from '../../tools/util/plain-value.ts';
import { ServiceError } from '../contract/errors.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;

const tooLarge = (): ServiceError =>
  new ServiceError(413, 'body_too_large', 'the body is larger than 10 MiB', 'send less, or name notes instead of their text');

/** The body's text. Rejects with ServiceError as soon as it is too large, whatever its header says. */
async function readBodyText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  if (!request.body) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body) {
    size += part.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A JSON body of the given shape. Rejects with ServiceError, which names the invalid or unknown field. */
export async function readBody<const Entries extends v.ObjectEntries>(
  request: Request,
  format: v.ObjectSchema<Entries, undefined>,
): Promise<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  const text = await readBodyText(request);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ServiceError(400, 'bad_json', 'the body is not JSON', 'send JSON with Content-Type: application/json');
  }
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
