// Each browser words it differently, and a fault in our own code may be a TypeError, too.
const wording = /fetch|network|load failed|dynamically imported|module script/i;

/** Whether a call, or a part of the console, got no answer at all. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && wording.test(error.message);
}
