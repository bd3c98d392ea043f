/** Files of the workspace that notes show and that are attached to chats. The host implements it. */
export interface AssetStore {
  /** Returns the asset's path, `assets/…`. Rejects with ToolError: `kernel_refused`, `kernel_unreachable`, `read_only` or `aborted`. */
  save(name: string, bytes: Uint8Array, mime: string, signal: AbortSignal): Promise<string>;
  /** Rejects with ToolError `not_found` if there is no such file (any more), and like `save`. */
  read(asset: string, signal: AbortSignal): Promise<Uint8Array>;
}
