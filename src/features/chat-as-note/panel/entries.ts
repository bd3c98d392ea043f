import type { EditorFeature } from '../../../app/editor/editor-feature.ts';

export const entries: EditorFeature = {
  marked: { kind: 'document', attribute: 'custom-marginalia-session', label: 'openChat', action: 'open-chat' },
};
