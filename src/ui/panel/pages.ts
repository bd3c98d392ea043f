// A file of its own in the built plugin, loaded when the first page is opened.

import FirstModel from '../models/FirstModel.svelte';
import AgentCard from '../pages/AgentCard.svelte';
import AgentView from '../pages/AgentView.svelte';
import ChatsView from '../pages/ChatsView.svelte';
import { openChatAt } from '../pages/open-chat.ts';
import PreviewView from '../pages/PreviewView.svelte';
import RelatedView from '../pages/RelatedView.svelte';
import SummaryView from '../pages/SummaryView.svelte';
import ToolsView from '../pages/ToolsView.svelte';
import QuestionCard from '../question/QuestionCard.svelte';
import ChatSettingsView from '../settings/ChatSettingsView.svelte';
import SettingsView from '../settings/SettingsView.svelte';
import FindBar from './FindBar.svelte';
import PictureDialog from './PictureDialog.svelte';
import { runCommand } from './panel-commands.ts';

/**
 * Not pages: what finds words in the chat, what an opened summary, the call of a sub-agent and a large picture are drawn with, the way to
 * a first model, what shows an answer in its chat, and what keys do there.
 */
export { AgentCard, FindBar, FirstModel, openChatAt, PictureDialog, QuestionCard, runCommand, SummaryView };

export const PAGES = {
  chats: ChatsView,
  tools: ToolsView,
  settings: SettingsView,
  chatSettings: ChatSettingsView,
  preview: PreviewView,
  agent: AgentView,
  related: RelatedView,
} as const;
