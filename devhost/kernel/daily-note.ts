const pad = (n: number): string => String(n).padStart(2, '0');

/** Go's reference date, part by part; nothing else occurs in the templates that SiYuan ships. */
function formatDate(layout: string, date: Date): string {
  const parts: Readonly<Record<string, string>> = {
    2006: String(date.getFullYear()),
    '01': pad(date.getMonth() + 1),
    '02': pad(date.getDate()),
    15: pad(date.getHours()),
    '04': pad(date.getMinutes()),
    '05': pad(date.getSeconds()),
  };
  return layout.replace(/2006|01|02|15|04|05/g, (part) => parts[part] ?? part);
}

/** The readable path of a day's note from the notebook's template, e.g. `/daily note/{{now | date "2006/01"}}/…`. */
export function dailyNotePath(template: string, date = new Date()): string {
  return template.replace(/\{\{\s*now\s*\|\s*date\s*"([^"]*)"\s*\}\}/g, (_, layout: string) => formatDate(layout, date));
}
