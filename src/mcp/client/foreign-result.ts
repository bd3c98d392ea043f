import { fieldOf, isRecord } from '../../tools/util/plain-value.ts';

/** UTF-16 units of a result; the executor cuts what the model reads further. */
const MAX_TEXT = 1_000_000;

const textField = (item: unknown, name: string): string => {
  const value = fieldOf(item, name);
  return typeof value === 'string' ? value : '';
};

/** A size as people read it, of base64. */
const kilobytes = (data: string): string => `${Math.ceil((data.length * 3) / 4 / 1024)} KB`;

function partText(part: unknown): string {
  switch (fieldOf(part, 'type')) {
    case 'text':
      return textField(part, 'text');
    case 'image':
    case 'audio':
      return `[${textField(part, 'type')}: ${textField(part, 'mimeType')}, ${kilobytes(textField(part, 'data'))}, not shown]`;
    case 'resource_link':
      return `[${textField(part, 'name')}](${textField(part, 'uri')})`;
    case 'resource': {
      const resource = fieldOf(part, 'resource');
      return textField(resource, 'text') || `[${textField(resource, 'uri')}: ${textField(resource, 'mimeType')}, not shown]`;
    }
    default:
      return '';
  }
}

/** A result of a server as text: its parts, or what a program would read where it has none. */
export function foreignText(result: unknown): string {
  const content = fieldOf(result, 'content');
  const parts = (Array.isArray(content) ? content : []).map(partText).filter((text) => text !== '');
  const structured = fieldOf(result, 'structuredContent');
  if (parts.length === 0 && isRecord(structured)) parts.push(JSON.stringify(structured));
  return parts.join('\n\n').slice(0, MAX_TEXT);
}
