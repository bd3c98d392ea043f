const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** Local time as `20260102150405`, the kernel's form of `updated` and of the first part of an id. */
export function timestamp(date = new Date()): string {
  const day = `${date.getFullYear()}${pad(date.getMonth() + 1)}${pad(date.getDate())}`;
  return `${day}${pad(date.getHours())}${pad(date.getMinutes())}${pad(date.getSeconds())}`;
}

/** A fresh node id. */
export function newId(): string {
  let tail = '';
  while (tail.length < 7) tail += Math.random().toString(36).slice(2);
  return `${timestamp()}-${tail.slice(0, 7)}`;
}

/** When the node of an id was made, in the form of `timestamp`. */
export const createdOf = (id: string): string => id.slice(0, 14);

export const isTimestamp = (text: string): boolean => /^\d{14}$/.test(text);

/** `20260102150405` → seconds since 1970; 0 for anything else. */
export function unixSeconds(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)?.slice(1).map(Number);
  if (!parts) return 0;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
}

/** `2026-01-02 15:04:05`, as listings show it. */
export function readableTime(seconds: number): string {
  const t = timestamp(new Date(seconds * 1000));
  return `${t.slice(0, 4)}-${t.slice(4, 6)}-${t.slice(6, 8)} ${t.slice(8, 10)}:${t.slice(10, 12)}:${t.slice(12)}`;
}
