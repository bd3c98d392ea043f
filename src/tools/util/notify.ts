/** A listener's defect must not leave a call unanswered; it still surfaces as an uncaught error. */
export function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
