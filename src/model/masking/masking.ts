// A file of its own in the built plugin, loaded for the first request that is masked.
export { completeMasked, maskedRequest } from './masked-complete.ts';
export { maskedMedia } from './masked-media.ts';
