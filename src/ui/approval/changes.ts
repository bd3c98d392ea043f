// A separate file in the built plugin, loaded when an answer begins or a change is shown.
import FormCard from '../forms/FormCard.svelte';
import FoundNotes from '../text/FoundNotes.svelte';
import ApprovalCard from './ApprovalCard.svelte';
import CallDetails from './CallDetails.svelte';
import DiffView from './DiffView.svelte';
import TextDiff from './TextDiff.svelte';
import UndoConflicts from './UndoConflicts.svelte';

export const CHANGES = { ApprovalCard, CallDetails, DiffView, FormCard, FoundNotes, TextDiff, UndoConflicts } as const;
