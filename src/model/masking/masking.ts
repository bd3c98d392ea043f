// A separate file in the built plugin, loaded for the first masked request.
export { completeMasked, maskedRequest } from './masked-complete.ts';
export { maskedMedia } from './masked-media.ts';
