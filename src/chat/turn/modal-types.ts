import type { LanguageModel } from '../../model/language-model.ts';
import { MAX_RECORDING_BYTES } from '../../model/media/media-model.ts';
import { editsPictures, type ModalType } from '../../model/modal-type.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import { isRead } from '../session/contexts.ts';
import type { Attachment, ChatContext } from '../session/types.ts';
import type { MediaAnswer, MediaHandlers, MediaRequest } from './media-handlers.ts';

export interface AskedFor {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly contexts: readonly Pick<ChatContext, 'kind'>[];
}

/** How a question is handled. An image model that gets a picture edits it, if it can. */
export function modalTypeOf({ type = 'chat', model }: LanguageModel, attachments: readonly Attachment[]): ModalType {
  const given = attachments.some(({ kind }) => kind === 'image');
  return type === 'image-gen' && given && editsPictures(model) ? 'image-edit' : type;
}

const problem = (code: EventError['code'], message: string, next: string): EventError => ({ code, message, next });

const CHANGEABLE = /^image\/(?:png|jpe?g|webp)$/i;

const NO_TEXT = problem('media_no_text', 'the message has no words', 'say what the model should make, then send');
const NOT_TAKEN = (name: string, taken: string): EventError =>
  problem('media_wrong_file', `this model cannot take "${name}"; it takes ${taken}`, 'remove the file, or choose another model');

function validateEdit({ text, attachments }: AskedFor): EventError | null {
  const wrong = attachments.find(({ kind, mime }) => kind !== 'image' || !CHANGEABLE.test(mime));
  if (wrong) return NOT_TAKEN(wrong.name, 'png, jpeg and webp images');
  if (attachments.length === 0) return problem('media_no_picture', 'there is no image to edit', 'attach an image, then send');
  return text.trim() === '' ? NO_TEXT : null;
}

function validateTranscription({ attachments }: AskedFor): EventError | null {
  const wrong = attachments.find(({ kind }) => kind !== 'audio');
  if (wrong) return NOT_TAKEN(wrong.name, 'recordings');
  if (attachments.length === 0) return problem('media_no_recording', 'there is no recording', 'attach a recording, then send');
  const large = attachments.find(({ size }) => size > MAX_RECORDING_BYTES);
  if (!large) return null;
  const next = 'cut it into shorter pieces or save it as mp3, then attach it again';
  return problem('media_too_large', `"${large.name}" is larger than 25 MB`, next);
}

/** Why a question cannot be sent to a model of this type; null if it can. Checked before anything is sent or charged. */
export function preValidateModalType(modelType: ModalType, asked: AskedFor): EventError | null {
  if (modelType === 'chat') return null;
  if (asked.contexts.some(isRead)) {
    const next = 'remove the notes and write what matters into the message';
    return problem('media_no_notes', 'this model takes words and files, not attached notes', next);
  }
  if (modelType === 'image-edit') return validateEdit(asked);
  if (modelType === 'audio-stt') return validateTranscription(asked);
  const [file] = asked.attachments;
  if (file) return NOT_TAKEN(file.name, 'words only');
  return asked.text.trim() === '' ? NO_TEXT : null;
}

/** The same for a question that is about to be sent; without a model, the error says so. */
export function refusalOf(model: LanguageModel | null, asked: AskedFor): EventError | null {
  return model ? preValidateModalType(modalTypeOf(model, asked.attachments), asked) : null;
}

/** Sends a question to a model of this type; models for pictures and speech answer in one step, without history or tools. */
export function answerWithMedia(
  modelType: Exclude<ModalType, 'chat'>,
  { image, audio }: MediaHandlers,
  request: MediaRequest,
): Promise<MediaAnswer> {
  switch (modelType) {
    case 'image-gen':
      return image.generate(request);
    case 'image-edit':
      return image.edit(request);
    case 'audio-stt':
      return audio.transcribe(request);
    case 'audio-tts':
      return audio.speak(request);
  }
}
