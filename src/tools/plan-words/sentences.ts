/** First letter in upper case; scripts without cases are unchanged. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The separator after a label or sentence: nothing after Chinese punctuation, which includes space. */
export function gapAfter(text: string): string {
  return text === '' || /[。！？：]$/.test(text) ? '' : ' ';
}

export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, sentence) => text + gapAfter(text) + sentence, '');
}
