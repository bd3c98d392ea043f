import { fetchPost } from '../core/http.ts';
import { config, siyuan } from '../core/state.ts';
import type { Answer } from '../core/types.ts';

/** Where `loadData` and its kin keep a plugin's files. A name must stay inside the folder. */
function storagePath(plugin: string, name: string): string {
  const parts = name.split(/[\\/]+/).filter((part) => part && part !== '.' && part !== '..');
  return `/data/storage/petal/${plugin}/${parts.join('/')}`;
}

function refused(): Promise<never> {
  return Promise.reject({ code: 403, msg: 'Readonly mode or publish mode', data: null });
}

function isReadOnly(): boolean {
  return !!config().readonly || siyuan.isPublish;
}

/**
 * Reads a file of the plugin: text, or the parsed value of a JSON file; `""` when it is missing.
 * As in SiYuan a stored JSON that looks like a failed answer (negative `code`, string `msg`) never resolves.
 */
export function loadData(plugin: string, data: Record<string, unknown>, name: string): Promise<unknown> {
  data[name] ??= '';
  return new Promise((resolve) => {
    void fetchPost(
      '/api/file/getFile',
      { path: storagePath(plugin, name) },
      (answer) => {
        data[name] = answer;
        resolve(answer);
      },
      null,
      () => resolve(data[name]),
    );
  });
}

export function saveData(plugin: string, data: Record<string, unknown>, name: string, content: unknown): Promise<Answer> {
  if (isReadOnly()) return refused();
  return new Promise((resolve) => {
    const path = storagePath(plugin, name);
    const isObject = typeof content === 'object';
    const blob = isObject ? new Blob([JSON.stringify(content)], { type: 'application/json' }) : new Blob([String(content)]);
    const form = new FormData();
    form.append('path', path);
    form.append('file', new File([blob], path.split('/').at(-1) ?? name));
    form.append('isDir', 'false');
    void fetchPost('/api/file/putFile', form, (answer) => {
      data[name] = content;
      resolve(answer);
    });
  });
}

export function removeData(plugin: string, data: Record<string, unknown>, name: string): Promise<Answer> {
  if (isReadOnly()) return refused();
  return new Promise((resolve) => {
    void fetchPost('/api/file/removeFile', { path: storagePath(plugin, name) }, (answer) => {
      delete data[name];
      resolve(answer);
    });
  });
}
