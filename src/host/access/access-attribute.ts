/** A block or document with this attribute at `none`, and what is under it, is not read (docs/security.md). */
export const ACCESS_ATTRIBUTE = 'custom-ai-access';

export const isGuarded = (attributes: Readonly<Record<string, string>> | undefined): boolean =>
  attributes?.[ACCESS_ATTRIBUTE]?.trim() === 'none';
