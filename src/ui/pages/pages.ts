// A file of its own in the built plugin, loaded when the first page is opened.
import AppendView from './AppendView.svelte';
import ChatsView from './ChatsView.svelte';
import PreviewView from './PreviewView.svelte';
import SaveNoteView from './SaveNoteView.svelte';
import SettingsView from './SettingsView.svelte';
import ToolsView from './ToolsView.svelte';

export const PAGES = {
  chats: ChatsView,
  tools: ToolsView,
  settings: SettingsView,
  save: SaveNoteView,
  append: AppendView,
  preview: PreviewView,
} as const;
