import type { Attachment } from 'svelte/attachments';

/** Makes a field as high as its text, up to the limit of the style sheet; reads `text`, so that each change counts. */
export function growWith(text: () => string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    text();
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  };
}
