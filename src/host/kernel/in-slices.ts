import { nextTask } from '../../tools/util/next-task.ts';

/** Characters that are encoded or decoded at once: all of a long chat would block the window for a tenth of a second. */
const SLICE = 500_000;

const isFirstOfPair = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff;

/** A text as a request body: a long one is encoded slice by slice. */
export async function bodyInSlices(text: string): Promise<string | Blob> {
  if (text.length <= SLICE) return text;
  const slices: Blob[] = [];
  for (let at = 0; at < text.length; ) {
    await nextTask();
    let end = at + SLICE;
    // Half of a surrogate pair would be written as a replacement character.
    if (isFirstOfPair(text.charCodeAt(end - 1))) end += 1;
    slices.push(new Blob([text.slice(at, end)]));
    at = end;
  }
  return new Blob(slices);
}

/** The text of an answer, decoded as it arrives. */
export async function textInSlices({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let rest = SLICE;
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return text + decoder.decode();
    text += decoder.decode(piece.value, { stream: true });
    rest -= piece.value.length;
    if (rest > 0) continue;
    rest = SLICE;
    await nextTask();
  }
}
