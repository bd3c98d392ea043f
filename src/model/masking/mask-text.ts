import { findPrivate } from './find-private.ts';
import { MaskTable } from './mask-table.ts';
import type { PrivacySettings } from './privacy-fields.ts';

export { fieldProblem } from './find-private.ts';

export async function maskText(privacy: PrivacySettings, text: string): Promise<string> {
  return new MaskTable(await findPrivate(privacy)).mask(text);
}
