// What questions and answers are drawn with: a file of their own (lazy-messages.ts).
import AssistantMessage from './AssistantMessage.svelte';
import SeparatorLine from './SeparatorLine.svelte';
import UserMessage from './UserMessage.svelte';

export const MESSAGES = { AssistantMessage, SeparatorLine, UserMessage };
