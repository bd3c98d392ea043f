type Listener = (event: CustomEvent) => void;

/** A plugin's event bus: a comment node of the document carries the listeners, so removing the node removes them all. */
export class EventBus {
  private readonly target: Comment;

  constructor(name = '') {
    this.target = document.appendChild(document.createComment(name));
  }

  on(type: string, listener: Listener): void {
    this.target.addEventListener(type, listener as EventListener);
  }

  once(type: string, listener: Listener): void {
    this.target.addEventListener(type, listener as EventListener, { once: true });
  }

  off(type: string, listener: Listener): void {
    this.target.removeEventListener(type, listener as EventListener);
  }

  emit(type: string, detail?: unknown): boolean {
    return this.target.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }

  /** Not a member of SiYuan's EventBus: the loader cuts a plugin off with it. */
  cutOff(): void {
    this.target.remove();
  }
}
