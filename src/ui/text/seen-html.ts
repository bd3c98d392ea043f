import { textPieces, unseenSign } from '../../tools/safe-content/unseen.ts';
import { unseenName } from '../labels/sent-text.ts';
import { escapeHtml } from '../markdown/escape.ts';
import type { Translate } from '../ports/i18n.ts';
import './unseen.css';

/** Signs for added or removed white space, which would be invisible. */
const ROOM: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵\n', '\r': '' };
const mark = (sign: string, name: string): string => `<abbr class="mg-unseen" title="${escapeHtml(name)}">${escapeHtml(sign)}</abbr>`;

function roomName(sign: string): 'unseen.space' | 'unseen.tabulator' | 'unseen.lineEnd' {
  if (sign === ' ') return 'unseen.space';
  return sign === '\t' ? 'unseen.tabulator' : 'unseen.lineEnd';
}

/** Text of white space only, each character visible. */
const roomHtml = (text: string, t: Translate): string => [...text].map((sign) => mark(ROOM[sign] ?? sign, t(roomName(sign)))).join('');

/**
 * Text as HTML with invisible characters shown as small signs with their names. The only renderer of these.
 * `isChange`: it is added or removed, so plain spaces are shown if there is nothing else.
 */
export function seenHtml(text: string, t: Translate, isChange = false): string {
  const isRoom = isChange && text !== '' && /^[ \t\r\n]+$/.test(text);
  if (isRoom) return roomHtml(text, t);
  return textPieces(text)
    .map((piece) => (typeof piece === 'string' ? escapeHtml(piece) : mark(unseenSign(piece), unseenName(piece, t))))
    .join('');
}
