import { Listeners } from '../../tools/util/notify.ts';
/** Notifies listeners of a changed value at most once per microtask; the value is computed only for a listener. */
export class ViewAnnouncer<T> {
  private readonly make: () => T;
  private readonly listeners = new Listeners<[value: T]>();
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
    return this.listeners.add(listener);
  }

  changed(): void {
    this.current = null;
    if (this.announced) return;
    this.announced = true;
    queueMicrotask(() => {
      this.announced = false;
      if (this.listeners.size === 0) return;
      const value = this.value();
      this.listeners.call(value);
    });
  }

  clear(): void {
    this.listeners.clear();
  }
}
