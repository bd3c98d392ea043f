import type { Attachment } from 'svelte/attachments';

/** Makes a field as high as its text, up to the limit of the style sheet; depends on `text`, so that it runs for each change. */
export function growWith(text: () => string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    text();
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  };
}
