const FIRST = 0xe000;
const LAST = 0xf8ff;

/** `count` private use characters that the text does not contain; fewer if it contains nearly all of them. */
export function freeSigns(text: string, count: number): string[] {
  const used = new Set(text);
  const free: string[] = [];
  for (let code = FIRST; code <= LAST && free.length < count; code += 1) {
    const sign = String.fromCharCode(code);
    if (!used.has(sign)) free.push(sign);
  }
  return free;
}
