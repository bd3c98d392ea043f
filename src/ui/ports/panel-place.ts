/** Something that the editor leads to: a page at what has these ids, an answer in its chat, or the rights in a notebook. */
export type PanelPlace =
  | { readonly page: string; readonly ids: readonly string[] }
  | { readonly answer: { readonly sessionId: string; readonly messageId: string } }
  | { readonly access: string };
