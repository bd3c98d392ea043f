import { siyuan } from './state.ts';

/** key: [English, Chinese]. Keys that plugins commonly read keep SiYuan's names. */
const table = {
  cancel: ['Cancel', '取消'],
  confirm: ['Confirm', '确定'],
  save: ['Save', '保存'],
  delete: ['Delete', '删除'],
  remove: ['Remove', '移除'],
  copy: ['Copy', '复制'],
  refresh: ['Refresh', '刷新'],
  rename: ['Rename', '重命名'],
  close: ['Close', '关闭'],
  back: ['Back', '返回'],
  documentMenu: ['Document', '文档'],
  more: ['More', '更多'],
  min: ['Minimize', '最小化'],
  plugin: ['Plugin', '插件'],
  config: ['Settings', '设置'],
  enable: ['Enable', '启用'],
  disable: ['Disable', '停用'],
  reload: ['Reload', '重新载入'],
  uninstall: ['Uninstall', '卸载'],
  fileTree: ['Documents', '文档树'],
  newFile: ['New document', '新建文档'],
  untitled: ['Untitled', '未命名'],
  openPlugin: ['Open', '打开'],
  copyBlockId: ['Copy ID', '复制 ID'],
  copyBlockRef: ['Copy block reference', '复制块引用'],
  copyText: ['Copy text', '复制文本'],
  paragraph: ['Paragraph', '段落'],
  heading: ['Heading', '标题'],
  turnInto: ['Turn into', '转换为'],
  slashHint: ['Type / for commands', '输入 / 唤出命令'],
  noMatch: ['No matching command', '没有匹配的命令'],
  quote: ['Quote', '引述'],
  list: ['List', '无序列表'],
  check: ['Task list', '任务列表'],
  code: ['Code block', '代码块'],
  line: ['Divider', '分隔线'],
  theme: ['Light or dark', '明暗切换'],
  workspace: ['Workspace', '工作空间'],
  commands: ['Commands', '命令面板'],
  devHost: ['Development host', '开发宿主'],
  noPlugins: ['No plugins in this workspace', '此工作空间没有插件'],
  noDocument: ['Open a document from the tree', '从文档树打开一篇文档'],
  emptyContent: ['Nothing here yet', '暂无内容'],
  notebookClosed: ['Closed', '已关闭'],
  openNotebook: ['Open notebook', '打开笔记本'],
  closeNotebook: ['Close notebook', '关闭笔记本'],
  blocks: ['Blocks', '块'],
  characters: ['Characters', '字符'],
  disconnected: ['The kernel does not answer. Trying again…', '内核没有响应，正在重试……'],
  reconnected: ['The kernel is back', '内核已恢复连接'],
  notFound: ['Block not found', '未找到该块'],
  kernelRefused: ['The kernel refused a change; the document was loaded again', '内核拒绝了一次修改，文档已重新载入'],
  deleteDocument: ['Delete this document?', '删除这篇文档？'],
  uninstallAsk: ['Remove this plugin and its data?', '移除这个插件及其数据？'],
  modifiedAt: ['Modified', '修改于'],
} as const;

export type TextKey = keyof typeof table;

export function isChinese(): boolean {
  return (siyuan.config?.appearance.lang ?? 'en_US').startsWith('zh');
}

export function text(key: TextKey): string {
  return table[key][isChinese() ? 1 : 0];
}

/** `window.siyuan.languages`: the small part of SiYuan's table that the shell has. */
export function languages(): Record<string, string> {
  return Object.fromEntries((Object.keys(table) as TextKey[]).map((key) => [key, text(key)]));
}
