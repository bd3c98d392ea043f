/** Files of the workspace that notes show, and that chats keep what was attached to them in. The host implements it. */
export interface AssetStore {
  /**
   * Gives the asset's path, `assets/…`; the same bytes by the same name may get the path that they have. Rejects with ToolError:
   * `kernel_refused`, `kernel_unreachable`, `read_only` or `aborted`.
   */
  save(name: string, bytes: Uint8Array, mime: string, signal: AbortSignal): Promise<string>;
  /** Rejects with ToolError `not_found` where there is no such file (any more), and as `save`. */
  read(asset: string, signal: AbortSignal): Promise<Uint8Array>;
}
