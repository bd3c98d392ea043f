import { fromBase64 } from '../../tools/util/base64.ts';
import { fieldOf, isRecord } from '../../tools/util/plain-value.ts';

/** UTF-16 units of a result; the executor cuts what the model reads further. */
const MAX_TEXT = 1_000_000;
/** Pictures of one result that are kept. */
const MAX_PICTURES = 8;

/** Keeps a picture where the chat can show it, and resolves with its address; null where it is no picture that is shown, or cannot be kept. */
export type KeepPicture = (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<string | null>;

export interface ResultOptions {
  readonly tool: string;
  readonly signal: AbortSignal;
  /** Absent: pictures are only named. */
  readonly keepPicture?: KeepPicture | undefined;
}

export const textField = (item: unknown, name: string): string => {
  const value = fieldOf(item, name);
  return typeof value === 'string' ? value : '';
};

/** A size as people read it, of base64. */
const kilobytes = (data: string): string => `${Math.ceil((data.length * 3) / 4 / 1024)} KB`;

/** A name for a file and for the text in place of a picture: letters, digits and hyphens. */
const plainName = (tool: string): string => tool.replaceAll(/[^a-zA-Z0-9]+/g, '-').slice(0, 40);

/** The parts of one result, read in their order. */
class ResultParts {
  private readonly options: ResultOptions;
  private pictures = 0;

  constructor(options: ResultOptions) {
    this.options = options;
  }

  async textOf(part: unknown): Promise<string> {
    switch (fieldOf(part, 'type')) {
      case 'text':
        return textField(part, 'text');
      case 'image':
      case 'audio':
        return this.media(textField(part, 'type'), textField(part, 'mimeType'), textField(part, 'data'));
      case 'resource_link':
        return `[${textField(part, 'name')}](${textField(part, 'uri')})`;
      case 'resource': {
        const resource = fieldOf(part, 'resource');
        const [text, uri] = [textField(resource, 'text'), textField(resource, 'uri')];
        return text || this.media(uri, textField(resource, 'mimeType'), textField(resource, 'blob'));
      }
      default:
        return '';
    }
  }

  private async media(what: string, mime: string, data: string): Promise<string> {
    const { tool, signal, keepPicture } = this.options;
    const bytes = keepPicture && this.pictures < MAX_PICTURES ? decoded(data) : null;
    const address = bytes && keepPicture ? await keepPicture(plainName(tool), bytes, signal) : null;
    if (address === null) return `[${what}: ${mime}, ${kilobytes(data)}, not shown]`;
    this.pictures += 1;
    return `![Picture ${this.pictures} of ${plainName(tool)}](${address})`;
  }
}

/** Null for base64 of nothing, or of no such text. */
export function decoded(data: string): Uint8Array<ArrayBuffer> | null {
  try {
    return data === '' ? null : fromBase64(data);
  } catch {
    return null; // There is nothing to show or to attach.
  }
}

/** A result of a server as text: its parts, or what a program would read where it has none. */
export async function foreignText(result: unknown, options: ResultOptions): Promise<string> {
  const content = fieldOf(result, 'content');
  const reader = new ResultParts(options);
  const parts: string[] = [];
  for (const part of Array.isArray(content) ? content : []) parts.push(await reader.textOf(part));
  const structured = fieldOf(result, 'structuredContent');
  const texts = parts.filter((text) => text !== '');
  if (texts.length === 0 && isRecord(structured)) texts.push(JSON.stringify(structured));
  return texts.join('\n\n').slice(0, MAX_TEXT);
}
