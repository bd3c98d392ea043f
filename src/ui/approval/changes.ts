// A file of its own in the built plugin, loaded when an answer begins or a change is looked at.
import ApprovalCard from './ApprovalCard.svelte';
import DiffView from './DiffView.svelte';
import TextDiff from './TextDiff.svelte';

export const CHANGES = { ApprovalCard, DiffView, TextDiff } as const;
