/** Tells listeners of a value that changed: at most once a microtask, and the value is made only when someone looks. */
export class ViewAnnouncer<T> {
  private readonly make: () => T;
  private readonly listeners = new Set<(value: T) => void>();
  private current: { readonly value: T } | null = null;
  private announced = false;

  constructor(make: () => T) {
    this.make = make;
  }

  value(): T {
    this.current ??= { value: this.make() };
    return this.current.value;
  }

  subscribe(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(): void {
    this.current = null;
    if (this.announced) return;
    this.announced = true;
    queueMicrotask(() => {
      this.announced = false;
      if (this.listeners.size === 0) return;
      const value = this.value();
      for (const listener of [...this.listeners]) listener(value);
    });
  }

  clear(): void {
    this.listeners.clear();
  }
}
