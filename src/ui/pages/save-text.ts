import type { HostUi } from '../ports/host-ui.ts';

/** How long the browser may take to begin reading what it saves, in milliseconds. */
const READING = 60_000;

export type Saved = 'saved' | 'copied' | 'failed';

/** Saves a text as a file. Phones' web views silently drop downloads: there it is copied to the clipboard. */
export async function saveText(host: Pick<HostUi, 'mobile' | 'writeClipboard'>, name: string, text: string): Promise<Saved> {
  if (host.mobile) return (await host.writeClipboard(text)) ? 'copied' : 'failed';
  const type = name.endsWith('.json') ? 'application/json' : 'text/markdown';
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READING);
  return 'saved';
}

export function fileName(title: string, ending: string): string {
  const clean = title
    .replaceAll(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|[. ]+$/g, '');
  return `${Array.from(clean).slice(0, 80).join('') || 'chat'}.${ending}`;
}
