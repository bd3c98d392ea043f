/** Which call of which chat wrote a block: `<session>/<message>/<call>`; several, separated by blanks, where a person joined such blocks. */
export const SOURCE_ATTRIBUTE = 'custom-marginalia-source';
/** When a person marked it as read, in milliseconds; a model that writes it again takes it off. It is no part of the block's content. */
export const READ_ATTRIBUTE = 'custom-marginalia-read';
/** What a saved answer cites, with a hash and the words of each source at that time: a list of `CitedSource` (cited-sources.ts). */
export const CITES_ATTRIBUTE = 'custom-marginalia-cites';

/** The calls that `SOURCE_ATTRIBUTE` names. */
export const sourcesIn = (value: string): readonly string[] => value.split(' ').filter((each) => each !== '');
