// Parts of features, one line each: a file of its own in the built plugin, loaded with the first of them that is needed.
export { keepInNotes } from '../features/chat-as-note/chat-notes.ts';
export { openEditorCards } from '../features/editor-cards/panel/open-editor-cards.ts';
export { openMeaning } from '../features/meaning/panel/open-meaning.ts';
export { openProvenance } from '../features/provenance/panel/open-provenance.ts';
