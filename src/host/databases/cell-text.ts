import { listText } from '../../tools/util/line-parts.ts';
import type { CellValue } from './database-format.ts';

const two = (part: number): string => String(part).padStart(2, '0');

/** In the clock of this machine, as SiYuan shows it: `2026-01-31`, or with the time behind. */
function dateText(time: number, isNotTime: boolean): string {
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return isNotTime ? day : `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function dateValue({ date }: CellValue): string {
  if (!date?.isNotEmpty) return '';
  const start = dateText(date.content, date.isNotTime);
  return date.hasEndDate && date.isNotEmpty2 ? `${start} / ${dateText(date.content2, date.isNotTime)}` : start;
}

/** A cell's stored text, '' if empty; of a relation its row ids. Options and files are separated by commas, and quoted where needed. */
export function cellText(value: CellValue | undefined): string {
  if (!value) return '';
  switch (value.type) {
    case 'block':
      return value.block?.content ?? '';
    case 'number':
      return value.number?.isNotEmpty ? String(value.number.content) : '';
    case 'date':
      return dateValue(value);
    case 'select':
    case 'mSelect':
      return listText((value.mSelect ?? []).map(({ content }) => content));
    case 'checkbox':
      return value.checkbox?.checked ? 'true' : '';
    case 'mAsset':
      return listText((value.mAsset ?? []).map(({ content }) => content));
    case 'relation':
      return (value.relation?.blockIDs ?? []).join(', ');
    case 'created':
    case 'updated': {
      const time = (value.type === 'created' ? value.created : value.updated)?.content ?? 0;
      return time === 0 ? '' : dateText(time, false);
    }
    default:
      return (value[value.type as 'text'] as { readonly content?: string } | null | undefined)?.content ?? '';
  }
}

/** Equal for values that look and sort alike: ids, times, colors and formats aside. */
export function cellPrint(value: CellValue | undefined): string {
  if (!value) return '';
  if (value.type === 'date' && value.date?.isNotEmpty) {
    const { content, content2, hasEndDate, isNotEmpty2, isNotTime } = value.date;
    return JSON.stringify([content, isNotTime, hasEndDate, hasEndDate && isNotEmpty2 ? content2 : 0]);
  }
  if (value.type === 'mAsset')
    return JSON.stringify((value.mAsset ?? []).map(({ content, name }) => [content, name])).replace(/^\[\]$/, '');
  if (value.type === 'text' && richText(value) !== '') return JSON.stringify([cellText(value), richText(value)]);
  return cellText(value);
}

/** Formatted text of SiYuan 3.8, of which the plain text is drawn; '' for a plain cell. */
export function richText({ text }: CellValue): string {
  const rich = text?.rich;
  return rich && typeof rich === 'object' && 'content' in rich ? String(rich.content) : '';
}
