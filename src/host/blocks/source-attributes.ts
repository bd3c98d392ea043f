/** Which call of which chat wrote a block: `<session>/<message>/<call>`. */
export const SOURCE_ATTRIBUTE = 'custom-marginalia-source';
/** When a person marked it as read, in milliseconds; a model that writes it again takes it off. It is no part of the block's content. */
export const READ_ATTRIBUTE = 'custom-marginalia-read';
/** What a saved answer cites, with a hash and the words of each source at that time: a list of `CitedSource` (cited-sources.ts). */
export const CITES_ATTRIBUTE = 'custom-marginalia-cites';
