import type { ChatOption } from '../../tools/contract/messages.ts';
import type { MediaFile, MediaModel } from '../media/media-model.ts';
import { maskOptions } from './mask-request.ts';
import { MaskTable } from './mask-table.ts';
import { finderOf, restoredError } from './masked-complete.ts';
import type { PrivacySettings } from './privacy-fields.ts';

/** A model for pictures and speech whose requests leave with placeholders in texts and file names; pixels and sound are not touched. */
export function maskedMedia(inner: MediaModel, privacy: PrivacySettings): MediaModel {
  async function send<T>(work: (table: MaskTable) => Promise<T>): Promise<T> {
    const table = new MaskTable(await finderOf(privacy));
    try {
      return await work(table);
    } catch (error) {
      throw restoredError(error, table);
    }
  }
  const named = (file: MediaFile, table: MaskTable): MediaFile => ({ ...file, name: table.mask(file.name) });
  const options = (given: ChatOption, table: MaskTable): ChatOption => maskOptions(given, table);
  return {
    generateImages: (prompt, given, signal) => send((table) => inner.generateImages(table.mask(prompt), options(given, table), signal)),
    editImages: (prompt, pictures, given, signal) =>
      send((table) => {
        const files = pictures.map((picture) => named(picture, table));
        return inner.editImages(table.mask(prompt), files, options(given, table), signal);
      }),
    transcribe: (recording, given, signal) =>
      send(async (table) => {
        const transcript = await inner.transcribe(named(recording, table), options(given, table), signal);
        return { ...transcript, text: table.restore(transcript.text) };
      }),
    speak: (text, given, signal) => send((table) => inner.speak(table.mask(text), options(given, table), signal)),
  };
}
