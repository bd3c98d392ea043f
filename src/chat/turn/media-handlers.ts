import type { LanguageModel } from '../../model/language-model.ts';
import type { MediaFile, MediaModel } from '../../model/media/media-model.ts';
import type { OnRetry } from '../../model/retrying.ts';
import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { ChatOption, Usage } from '../../tools/contract/messages.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { floorGrapheme } from '../../tools/util/graphemes.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { Attachment } from '../session/types.ts';
import type { ExtendedCompletionResult } from './lifecycle.ts';

/** A question to a model for pictures or recordings, without history and tools; a service that ignores `signal` is not awaited. */
export interface MediaRequest {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly model: LanguageModel;
  readonly options: ChatOption;
  readonly signal: AbortSignal;
  readonly onRetry?: OnRetry;
}

export type MediaAnswer = Pick<ExtendedCompletionResult, 'content' | 'files' | 'usage' | 'error'> & {
  /** Absent: done. `stopped` and `error`: only the finished ones of several are included. */
  readonly status?: ExtendedCompletionResult['status'];
};

export interface ImageHandler {
  generate(request: MediaRequest): Promise<MediaAnswer>;
  /** Edits the attached pictures: the question must have no other attachments (`preValidateModalType`). */
  edit(request: MediaRequest): Promise<MediaAnswer>;
}

export interface AudioHandler {
  /** Transcribes the attached recordings: the question must have no other attachments. */
  transcribe(request: MediaRequest): Promise<MediaAnswer>;
  speak(request: MediaRequest): Promise<MediaAnswer>;
}

export interface MediaHandlers {
  readonly image: ImageHandler;
  readonly audio: AudioHandler;
}

export interface MediaHandlerOptions {
  readonly assets: AssetStore | undefined;
  readonly newId: () => string;
}

/** Characters that are safe in a file name, a description and a Markdown address. */
function plainName(text: string): string {
  const words = text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  return words.slice(0, floorGrapheme(words, 40)).trim().replaceAll(' ', '-');
}

function mediaOf({ model }: MediaRequest): MediaModel {
  if (model.media) return model.media;
  throw new ToolError('model_bad_request', `${model.label} has no endpoint for images and speech`, 'choose another model');
}

class MediaFiles {
  private readonly assets: AssetStore | undefined;
  private readonly newId: () => string;

  constructor({ assets, newId }: MediaHandlerOptions) {
    this.assets = assets;
    this.newId = newId;
  }

  async read({ name, mime, asset }: Attachment, signal: AbortSignal): Promise<MediaFile> {
    return { name, mime, bytes: await this.store().read(asset, signal) };
  }

  /** Named after the question, since people search for that. */
  async save(file: MediaFile, kind: 'image' | 'audio', question: string, signal: AbortSignal): Promise<Attachment> {
    const name = `${plainName(question) || file.name.split('.')[0]}.${file.name.split('.').at(-1)}`;
    const asset = await this.store().save(name, file.bytes, file.mime, signal);
    return { id: this.newId(), kind, name, mime: file.mime, size: file.bytes.length, asset };
  }

  private store(): AssetStore {
    if (this.assets) return this.assets;
    throw new ToolError('internal', 'there is no store of files here', 'choose a chat model');
  }
}

type Ended = Pick<MediaAnswer, 'status' | 'error'>;

/** Serialized. If a later one fails or is stopped, those before it are kept: they were paid for. Rejects if the first does. */
async function eachKept<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<{ readonly kept: readonly R[]; readonly ended: Ended }> {
  const kept: R[] = [];
  for (const item of items) {
    try {
      kept.push(await work(item));
    } catch (thrown) {
      if (kept.length === 0) throw thrown;
      const { code, message, next } = toToolError(thrown);
      return { kept, ended: code === 'aborted' ? { status: 'stopped' } : { status: 'error', error: { code, message, next } } };
    }
  }
  return { kept, ended: {} };
}

const withUsage = (usage: Usage | undefined): { readonly usage?: Usage } => (usage ? { usage } : {});

/** Markdown, so that the answer can be copied and put into a note like any other. */
const pictureMarkdown = ({ name, asset }: Attachment): string => `![${name.replace(/\.\w+$/, '').replaceAll('-', ' ')}](${asset})`;

/** Pictures are saved as assets of the workspace before the answer is saved: what was paid for is kept. */
export function createImageHandler(options: MediaHandlerOptions): ImageHandler {
  const files = new MediaFiles(options);
  const answer = async (pictures: readonly MediaFile[], { text, signal }: MediaRequest): Promise<MediaAnswer> => {
    const { kept, ended } = await eachKept(pictures, (picture) => files.save(picture, 'image', text, signal));
    return { content: kept.map(pictureMarkdown).join('\n\n'), files: kept, ...ended };
  };
  return {
    async generate(request) {
      const { pictures, usage } = await orAborted(
        mediaOf(request).generateImages(request.text, request.options, request.signal, request.onRetry),
        request.signal,
      );
      return { ...(await answer(pictures, request)), ...withUsage(usage) };
    },
    async edit(request) {
      const { text, attachments, signal } = request;
      const given = await Promise.all(attachments.map((one) => files.read(one, signal)));
      const { pictures, usage } = await orAborted(
        mediaOf(request).editImages(text, given, request.options, signal, request.onRetry),
        signal,
      );
      return { ...(await answer(pictures, request)), ...withUsage(usage) };
    },
  };
}

const sum = (left: Usage | undefined, right: Usage | undefined): Usage | undefined =>
  left && right
    ? {
        prompt_tokens: left.prompt_tokens + right.prompt_tokens,
        completion_tokens: left.completion_tokens + right.completion_tokens,
        total_tokens: left.total_tokens + right.total_tokens,
      }
    : (left ?? right);

export function createAudioHandler(options: MediaHandlerOptions): AudioHandler {
  const files = new MediaFiles(options);
  return {
    async transcribe(request) {
      const { text: prompt, attachments, signal } = request;
      // Services use the text sent with a recording as a hint for names and spelling.
      const asked = { ...request.options, ...(prompt.trim() === '' ? {} : { prompt }) };
      const { kept, ended } = await eachKept(attachments, async (one) =>
        orAborted(mediaOf(request).transcribe(await files.read(one, signal), asked, signal, request.onRetry), signal),
      );
      const texts = kept.map(({ text }) => text).filter((text) => text !== '');
      return {
        content: texts.join('\n\n'),
        ...withUsage(kept.reduce<Usage | undefined>((all, { usage }) => sum(all, usage), undefined)),
        ...ended,
      };
    },
    async speak(request) {
      const spoken = await orAborted(
        mediaOf(request).speak(request.text, request.options, request.signal, request.onRetry),
        request.signal,
      );
      const saved = await files.save(spoken, 'audio', request.text, request.signal);
      return { content: `[${saved.name}](${saved.asset})`, files: [saved] };
    },
  };
}

export const createMediaHandlers = (options: MediaHandlerOptions): MediaHandlers => ({
  image: createImageHandler(options),
  audio: createAudioHandler(options),
});
