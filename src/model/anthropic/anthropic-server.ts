const VERSION = '2023-06-01';

export function anthropicHeaders(base: string, apiKey: string): Readonly<Record<string, string>> {
  const isRouter = /(?:^|\.)openrouter\.ai$/iu.test(new URL(base).hostname);
  const key: Readonly<Record<string, string>> = isRouter ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
  return {
    'anthropic-version': VERSION,
    // Anthropic answers pages only where they say that they know whose key is in them.
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(apiKey === '' ? {} : key),
  };
}

/** A route below an address, which ends in the API's version or not. */
export const anthropicRoute = (base: string, route: string): string => (/\/v\d[\w.]*$/u.test(base) ? route : `/v1${route}`);
