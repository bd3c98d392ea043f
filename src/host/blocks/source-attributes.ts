/** The call that wrote a block: `<session>/<message>/<call>`; several, separated by blanks, where a person joined such blocks. */
export const SOURCE_ATTRIBUTE = 'custom-marginalia-source';
/** The time in milliseconds at which a person marked it as read; a model that writes it again takes it off. It is no content. */
export const READ_ATTRIBUTE = 'custom-marginalia-read';
/** The citations of a saved answer, with a hash and the words of each source: a list of `CitedSource` (cited-sources.ts). */
export const CITES_ATTRIBUTE = 'custom-marginalia-cites';

export const sourcesIn = (value: string): readonly string[] => value.split(' ').filter((each) => each !== '');
