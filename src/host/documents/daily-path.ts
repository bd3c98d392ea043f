/** Go's reference time, as SiYuan's daily note paths write dates: "2006-01-02". */
const PARTS: Readonly<Record<string, (date: Date) => string>> = {
  '2006': (date) => String(date.getFullYear()),
  '06': (date) => String(date.getFullYear()).slice(2),
  '01': (date) => String(date.getMonth() + 1).padStart(2, '0'),
  '02': (date) => String(date.getDate()).padStart(2, '0'),
  '15': (date) => String(date.getHours()).padStart(2, '0'),
  '04': (date) => String(date.getMinutes()).padStart(2, '0'),
  '05': (date) => String(date.getSeconds()).padStart(2, '0'),
  January: (date) => date.toLocaleString('en-US', { month: 'long' }),
  Jan: (date) => date.toLocaleString('en-US', { month: 'short' }),
  Monday: (date) => date.toLocaleString('en-US', { weekday: 'long' }),
  Mon: (date) => date.toLocaleString('en-US', { weekday: 'short' }),
};
const PART = /2006|January|Jan|Monday|Mon|01|02|15|04|05|06/g;

/** The future path of a notebook's daily note, for display; a template that we cannot parse is shown as it is. */
export function showDailyPath(template: string, now: number): string {
  const date = new Date(now);
  return template.replace(/\{\{\s*now\s*\|\s*date\s*"([^"]*)"\s*\}\}/g, (_whole, layout: string) =>
    layout.replace(PART, (part) => PARTS[part]?.(date) ?? part),
  );
}
