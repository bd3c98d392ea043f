import { frameName, quotedText } from '../../tools/util/markers.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { decoded, textField } from './foreign-result.ts';

/** A text of a server. */
interface TakenText {
  readonly uri: string;
  readonly text: string;
}

interface TakenFile {
  readonly name: string;
  /** What the server calls it: it can lie. */
  readonly mime: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What was read of a server for a question. */
export interface TakenOffer {
  /** Of a prompt: what goes into the composer; '' for a resource. */
  readonly draft: string;
  readonly texts: readonly TakenText[];
  readonly files: readonly TakenFile[];
  /** It was too long, or had too many parts: the rest is left out. */
  readonly isCut: boolean;
}

/** Texts and files of one offer. */
const MAX_PARTS = 20;

function fileName(uri: string): string {
  const name = frameName(
    uri
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '',
  ).replaceAll(/[^\p{L}\p{N}._ -]+/gu, '-');
  return name.slice(-80) || 'file';
}

class Taking {
  private readonly texts: TakenText[] = [];
  private readonly files: TakenFile[] = [];
  private room: number;
  private isCut = false;

  /** `room`: UTF-16 units of all texts. */
  constructor(room: number) {
    this.room = room;
  }

  addResource(resource: unknown): void {
    const uri = textField(resource, 'uri');
    const text = this.cut(textField(resource, 'text'));
    if (this.texts.length + this.files.length >= MAX_PARTS) this.isCut = true;
    else if (text !== '') this.texts.push({ uri, text });
    else this.addFile(fileName(uri), textField(resource, 'mimeType'), textField(resource, 'blob'));
  }

  addFile(name: string, mime: string, data: string): void {
    const bytes = decoded(data);
    if (this.texts.length + this.files.length >= MAX_PARTS) this.isCut = true;
    else if (bytes) this.files.push({ name, mime, bytes });
  }

  cut(text: string): string {
    const taken = text.slice(0, this.room);
    this.isCut ||= taken !== text;
    this.room -= taken.length;
    return taken;
  }

  end(draft: string): TakenOffer {
    return { draft, texts: this.texts, files: this.files, isCut: this.isCut };
  }
}

/** `room`: UTF-16 units of all texts together. */
export function takenResources(contents: readonly unknown[], room: number): TakenOffer {
  const taking = new Taking(room);
  for (const resource of contents) taking.addResource(resource);
  return taking.end('');
}

/**
 * Messages of a prompt as one text for the composer, with what they embed. It becomes the person's own words, so that nothing in it is a
 * marker of ours, a reference to a variable, or cannot be seen.
 */
export function takenMessages(messages: readonly unknown[], room: number): TakenOffer {
  const taking = new Taking(room);
  const said: string[] = [];
  const hasAnswers = messages.some((message) => fieldOf(message, 'role') === 'assistant');
  for (const message of messages) {
    const content = fieldOf(message, 'content');
    const type = fieldOf(content, 'type');
    const text = type === 'resource_link' ? textField(content, 'uri') : textField(content, 'text');
    const plain = quotedText(taking.cut(text)).trim();
    if (type === 'resource') taking.addResource(fieldOf(content, 'resource'));
    else if (type === 'image' || type === 'audio') taking.addFile(String(type), textField(content, 'mimeType'), textField(content, 'data'));
    else if (plain !== '') said.push(hasAnswers ? `${fieldOf(message, 'role') === 'assistant' ? 'Assistant' : 'User'}: ${plain}` : plain);
  }
  return taking.end(said.join('\n\n'));
}
