const MAX_RETURNED = 16_000;

/** What the browser came back with, of a whole address, of its part behind the question mark, or of a code alone; null if it is none. */
export function returnedParameters(text: string): { readonly parameters: URLSearchParams; readonly isCodeAlone: boolean } | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_RETURNED) return null;
  if (/^https?:/i.test(trimmed)) return URL.canParse(trimmed) ? { parameters: new URL(trimmed).searchParams, isCodeAlone: false } : null;
  if (/(?:^|[?&])(?:code|error)=/.test(trimmed))
    return { parameters: new URLSearchParams(trimmed.replace(/^[^?]*\?/, '')), isCodeAlone: false };
  return /\s/.test(trimmed) ? null : { parameters: new URLSearchParams({ code: trimmed }), isCodeAlone: true };
}
