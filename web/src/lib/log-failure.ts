/** For failures that are told in no other way: they stand in the browser's console. */
export function logFailure(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes there
  console.warn(what, error);
}
