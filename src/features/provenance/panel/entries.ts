import type { EditorFeature } from '../../../app/editor/editor-feature.ts';
import { SOURCE_ATTRIBUTE } from '../../../host/blocks/source-attributes.ts';
import { watchMargin } from './margin-pointer.ts';

export const entries: EditorFeature = {
  marked: { kind: 'block', attribute: SOURCE_ATTRIBUTE, label: 'whoWrote', action: 'show-written' },
  watch: (handle) => watchMargin((mark) => handle({ action: 'show-writer', kind: 'block', ids: [], mark })),
};
