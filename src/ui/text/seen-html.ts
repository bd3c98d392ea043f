import { textPieces } from '../../tools/safe-content/unseen.ts';
import { unseenName, unseenSign } from '../labels/sent-text.ts';
import { escapeHtml } from '../markdown/escape.ts';
import type { Translate } from '../ports/i18n.ts';
import './unseen.css';

/** Signs for the room that is added or removed and would be seen by nobody. */
const ROOM: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵\n', '\r': '' };
const mark = (sign: string, name: string): string => `<abbr class="mg-unseen" title="${escapeHtml(name)}">${escapeHtml(sign)}</abbr>`;

function roomName(sign: string): 'unseen.space' | 'unseen.tabulator' | 'unseen.lineEnd' {
  if (sign === ' ') return 'unseen.space';
  return sign === '\t' ? 'unseen.tabulator' : 'unseen.lineEnd';
}

/** Text of nothing but room, each sign of it seen. */
const roomHtml = (text: string, t: Translate): string => [...text].map((sign) => mark(ROOM[sign] ?? sign, t(roomName(sign)))).join('');

/**
 * Text as HTML in which nothing is hidden: what nobody would see is a small sign with its name. The one place that draws it.
 * `isChange`: it is added or removed, so that plain spaces count where there is nothing else.
 */
export function seenHtml(text: string, t: Translate, isChange = false): string {
  const isRoom = isChange && text !== '' && /^[ \t\r\n]+$/.test(text);
  if (isRoom) return roomHtml(text, t);
  return textPieces(text)
    .map((piece) => (typeof piece === 'string' ? escapeHtml(piece) : mark(unseenSign(piece), unseenName(piece, t))))
    .join('');
}
