// Tells how long a text takes to read, and its headings.
import { readFileSync } from 'node:fs';

const { text, wordsPerMinute = 220 } = JSON.parse(readFileSync(0, 'utf8')).arguments;
const words = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}'’-]+/gu) ?? [];
const headings = text.split('\n').filter((line) => /^#{1,6} /.test(line));
console.log(JSON.stringify({ words: words.length, minutes: Math.max(1, Math.round(words.length / wordsPerMinute)), headings }));
