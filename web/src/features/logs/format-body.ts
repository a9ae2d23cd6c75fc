/** A body to read: JSON with a line for each value, what is no JSON (any more, being cut) as it is. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
