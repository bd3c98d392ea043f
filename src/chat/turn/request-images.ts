import { isToolError, ToolError } from '../../tools/contract/errors.ts';
import type { Complete, Message, MessageImage, UserMessage } from '../../tools/contract/messages.ts';
import { toBase64 } from '../../tools/util/base64.ts';
import { frameName } from '../../tools/util/markers.ts';
import type { AssetStore } from '../ports/assets.ts';

/** Bytes of pictures in one request, before base64: providers refuse requests of 20 to 50 MB. */
const MAX_BYTES = 12 * 1024 * 1024;

const left = (name: string, why: string): string => `[picture "${frameName(name.replaceAll(/[[\]]/g, ' '))}" is not sent: ${why}]`;

type Loaded = { readonly image: MessageImage; readonly bytes: number } | { readonly missing: string };

async function load(image: MessageImage, assets: AssetStore, signal: AbortSignal): Promise<Loaded> {
  try {
    const bytes = await assets.read(image.url, signal);
    return { image: { ...image, url: `data:${image.mime};base64,${toBase64(bytes)}` }, bytes: bytes.length };
  } catch (error) {
    if (isToolError(error) && (error.code === 'not_found' || error.code === 'bad_path'))
      return { missing: left(image.name, 'it is no longer in the workspace') };
    throw error;
  }
}

function withLoaded(message: UserMessage, loaded: readonly Loaded[]): UserMessage {
  const { images: _paths, ...plain } = message;
  const images = loaded.flatMap((one) => ('image' in one ? [one.image] : []));
  const notes = loaded.flatMap((one) => ('missing' in one ? [one.missing] : []));
  const content = [...notes, message.content].filter((text) => text !== '').join('\n\n');
  return { ...plain, content, ...(images.length > 0 ? { images } : {}) };
}

/** Replaces paths by the files' content, newest first as long as they fit, and names those left out; reads each picture once. */
export function withImages(complete: Complete, assets: AssetStore | undefined): Complete {
  const known = new Map<string, Promise<Loaded>>();
  const read = (image: MessageImage, signal: AbortSignal): Promise<Loaded> => {
    if (!assets) throw new ToolError('internal', 'there is no store of images here', 'send the question without images');
    const before = known.get(image.url) ?? load(image, assets, signal);
    known.set(image.url, before);
    return before;
  };
  return async (request, signal, onDelta) => {
    if (!request.messages.some((message) => message.role === 'user' && message.images?.length)) return complete(request, signal, onDelta);
    let room = MAX_BYTES;
    const messages: Message[] = [];
    for (const message of [...request.messages].reverse()) {
      if (message.role !== 'user' || !message.images?.length) messages.unshift(message);
      else {
        const loaded: Loaded[] = [];
        for (const image of message.images) {
          const one = await read(image, signal);
          const fits = 'missing' in one || one.bytes <= room;
          if (fits && 'bytes' in one) room -= one.bytes;
          loaded.push(fits ? one : { missing: left(image.name, 'there are too many in this chat') });
        }
        messages.unshift(withLoaded(message, loaded));
      }
    }
    return complete({ ...request, messages }, signal, onDelta);
  };
}
