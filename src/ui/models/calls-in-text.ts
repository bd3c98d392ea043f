import type { ModelStatus } from '../../chat/view/view.ts';

/** The model writes its calls into its text, as far as that is known. */
export const callsInText = ({ calls }: ModelStatus): boolean => calls !== undefined && calls.written !== 'native';
