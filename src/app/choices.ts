// What of the notes can be attached to a question: loaded together with the notes.
export { EmbeddingIgnore } from '../host/access/embedding-ignore.ts';
export { OwnAttributes } from '../host/access/own-attributes.ts';
export { findContexts, nearestBlock, openNote, relatedContexts, relatedNotes, selection } from './context-choices.ts';
export { readHostReport } from './host-probes.ts';
export { readContextChoice, readDragged } from './read-contexts.ts';
export { suggestQuestions } from './suggestions.ts';
