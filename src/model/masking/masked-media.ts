import type { ChatOption } from '../../tools/contract/messages.ts';
import type { MediaFile, MediaModel } from '../media/media-model.ts';
import type { OnRetry } from '../retrying.ts';
import { maskOptions } from './mask-request.ts';
import { MaskTable } from './mask-table.ts';
import { finderOf, restoredError } from './masked-complete.ts';
import { replacePlaceholders } from './placeholders.ts';
import type { PrivacySettings } from './privacy-fields.ts';

/** In speech a pause replaces a placeholder. */
const withPauses = (masked: string): string => replacePlaceholders(masked, () => '…');

/** A model for pictures and speech that sends placeholders in texts and file names; pixels and sound are not changed. */
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
  const withRestoredError = (onRetry: OnRetry | undefined, table: MaskTable): OnRetry => {
    return (retry) => onRetry?.({ ...retry, error: { ...retry.error, message: table.restore(retry.error.message) } });
  };
  return {
    generateImages: (prompt, given, signal, onRetry) =>
      send((table) => inner.generateImages(table.mask(prompt), options(given, table), signal, withRestoredError(onRetry, table))),
    editImages: (prompt, pictures, given, signal, onRetry) =>
      send((table) => {
        const files = pictures.map((picture) => named(picture, table));
        return inner.editImages(table.mask(prompt), files, options(given, table), signal, withRestoredError(onRetry, table));
      }),
    transcribe: (recording, given, signal, onRetry) =>
      send(async (table) => {
        const transcript = await inner.transcribe(
          named(recording, table),
          options(given, table),
          signal,
          withRestoredError(onRetry, table),
        );
        return { ...transcript, text: table.restore(transcript.text) };
      }),
    speak: (text, given, signal, onRetry) =>
      send((table) => inner.speak(withPauses(table.mask(text)), options(given, table), signal, withRestoredError(onRetry, table))),
  };
}
