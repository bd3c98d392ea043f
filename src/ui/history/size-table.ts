/**
 * Heights of all messages in order: measured if a message was on the screen, estimated otherwise. Finds the position of a
 * message, and the message at a position. Pure; all lengths are CSS pixels.
 */
export class SizeTable {
  #keys: readonly string[] = [];
  readonly #index = new Map<string, number>();
  readonly #measured = new Map<string, number>();
  #estimate: (index: number) => number = () => 0;
  /** `#ends[i]`: lower edge of message i; valid below `#valid`. */
  #ends = new Float64Array(0);
  #valid = 0;

  get count(): number {
    return this.#keys.length;
  }

  get total(): number {
    return this.end(this.#keys.length - 1);
  }

  /** @param estimate height of a message that was not measured yet; asked once for each until something changes */
  set(keys: readonly string[], estimate: (index: number) => number): void {
    this.#keys = keys;
    this.#estimate = estimate;
    this.#index.clear();
    for (const [index, key] of keys.entries()) this.#index.set(key, index);
    for (const key of this.#measured.keys()) if (!this.#index.has(key)) this.#measured.delete(key);
    if (this.#ends.length < keys.length) this.#ends = new Float64Array(Math.ceil(keys.length * 1.25));
    this.#valid = 0;
  }

  key(index: number): string | undefined {
    return this.#keys[index];
  }

  indexOf(key: string): number {
    return this.#index.get(key) ?? -1;
  }

  isMeasured(index: number): boolean {
    const key = this.#keys[index];
    return key !== undefined && this.#measured.has(key);
  }

  /** @returns whether anything changed */
  measure(key: string, height: number): boolean {
    const index = this.indexOf(key);
    if (index < 0 || this.#measured.get(key) === height) return false;
    this.#measured.set(key, height);
    this.#valid = Math.min(this.#valid, index);
    return true;
  }

  start(index: number): number {
    return index <= 0 ? 0 : this.end(index - 1);
  }

  end(index: number): number {
    if (index < 0) return 0;
    for (let at = this.#valid; at <= index && at < this.#keys.length; at += 1) {
      const key = this.#keys[at];
      const height = (key === undefined ? undefined : this.#measured.get(key)) ?? this.#estimate(at);
      this.#ends[at] = (at === 0 ? 0 : (this.#ends[at - 1] ?? 0)) + height;
      this.#valid = at + 1;
    }
    return this.#ends[Math.min(index, this.#keys.length - 1)] ?? 0;
  }

  /** Index of the message at an offset in the list; outside it the nearest one, −1 for an empty list. */
  at(y: number): number {
    let low = 0;
    let high = this.#keys.length - 1;
    if (this.total <= y) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end(middle) > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
