/** A block or document with this attribute set to `none` is not read, nor is anything under it (docs/security.md). */
export const ACCESS_ATTRIBUTE = 'custom-ai-access';

export const isGuarded = (attributes: Readonly<Record<string, string>> | undefined): boolean =>
  attributes?.[ACCESS_ATTRIBUTE]?.trim() === 'none';
